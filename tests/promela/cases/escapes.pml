// spin: states=121 transitions=216 errors=1
// Escapes: the outermost first; one that receives in a rendezvous goes before the receives inside; else in an escape is tried before the other options of it.
chan c = [0] of { byte };
byte x, y;

active proctype A() {
    {
        x = 1;
        {
            x = 2;
            c?_;
            x = 3
        } unless {
            y == 1 -> x = 4
        };
        x = 5
    } unless {
        c?2 -> x = 6
    };
begin:
    {
        x = 7;
        x = 8
    } unless {
        if
        :: y == 9 -> x = 9
        :: else -> x = 10
        fi
    };
    x = 11
}

active proctype B() {
    y = 1;
    y = 0;
    if
    :: c!1
    :: c!2
    :: y = 9
    fi;
    do
    :: c!2
    :: true -> break
    od
}
