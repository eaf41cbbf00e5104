// spin: states=13 transitions=13 errors=0
// The label of for and select is that of their loop: the assignment before it is not repeated. Inside d_step, select takes the first value.
byte i, n;
byte low = 1;

active proctype A() {
    n = 0;
again:
    for (i : 0 .. 2) {
        n++
    }
    if
    :: n < 5 -> goto again
    :: else
    fi;
choose:
    select(i : low .. 3);
    n = i;
    if
    :: n == 3 -> goto choose
    :: else
    fi;
    d_step {
        select(i : low .. 3);
        n = i;
        select(i : 0 .. 2)
    };
    n = i
}
