// spin: states=5 transitions=4 errors=0
// A send through a rendezvous channel counts for else where a receiver is ready; a receive does not count.
chan c = [0] of { byte };
chan d = [0] of { byte };
byte x;

active proctype A() {
    if
    :: c!1
    :: else -> x = 1
    fi;
    if
    :: d?_
    :: else -> x = 2
    fi
}

active proctype B() {
end:
    do
    :: c?_
    :: d!1
    od
}
