// spin: states=3592 transitions=- errors=0
// A jump from the end of an atomic sequence to a place inside one goes on alone, one from elsewhere does not.
byte x, y;

active proctype A() {
    if
    :: goto inside
    :: x = 3
    fi;
    atomic {
        x = 1;
inside:
        x = 2;
        y++;
        if
        :: y < 3 -> goto inside
        :: else
        fi
    };
    if
    :: y < 5 -> x = 4; goto inside
    :: else
    fi;
    atomic {
        x = 5;
        if
        :: y < 6 -> goto outside
        :: else -> x = 6; goto inside
        fi
    };
outside:
    x = 7;
    if
    :: y < 9 -> goto inside
    :: else
    fi
}

active proctype B() {
    x = 0;
    x = 9
}
