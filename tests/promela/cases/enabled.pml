// spin: states=31 transitions=38 errors=1
// enabled(pid) and pc_value(pid) in a process.
byte x, y;

active proctype A() {
    x = 1;
    (x == 2);
    x = 3
}

active proctype B() {
    y = 1;
    if
    :: enabled(0) -> y = 2
    :: !enabled(0) -> y = 3
    fi;
    y = pc_value(0);
    x = 2
}
