// spin: states=19 transitions=- errors=0
// A step that continues an atomic sequence does not lead out of it: behind an if, or by a goto, leaving is a step of its own. It is seen when a rendezvous hands control on.
chan c = [0] of { byte };
byte x, y;

active proctype A() {
    atomic {
        x = 1;
        if
        :: c!1
        fi
    };
    x = 2;
    atomic {
        x = 3;
        c!2;
        goto done
    };
    x = 4;
done:
    x = 5
}

active proctype B() {
    c?_;
    y = 1;
    c?_;
    y = 2
}
