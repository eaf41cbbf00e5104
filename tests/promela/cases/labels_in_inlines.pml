// spin: states=23 transitions=22 errors=0
// A label of an inline that is expanded twice: each goto leads to its own.
byte x, y;

inline wait(v) {
    v = 0;
again:
    v++;
    y = (v > 1 -> 2 : v);
    if
    :: v < 3 -> goto again
    :: else
    fi
}

active proctype A() {
    wait(x);
    x = 7;
    wait(x)
}
