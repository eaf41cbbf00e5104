// spin: states=6 transitions=6 errors=0
// The else of a choice that begins an option is possible where no step before it is, whatever comes behind it.
byte x, y;

active proctype A() {
    if
    :: if
       :: x == 5 -> y = 1
       :: else -> y = 2
       fi
    :: y = 3
    fi;
    if
    :: y = 4
    :: if
       :: x == 5 -> y = 1
       :: else -> y = 2
       fi
    fi
}
