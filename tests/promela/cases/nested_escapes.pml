// spin: states=56 transitions=84 errors=0
// An atomic block as main part of an unless inside another unless: the steps of both escapes belong to the inner one there.
byte x, g;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };

init {
    {
        d_step {
            g = 1;
            x = 1
        };
        atomic {
            c?_
        } unless {
            d?_,_;
            if
            :: g < 2 -> (g == 1)
            fi
        }
    } unless {
        (g == 1);
        skip
    }
}

active proctype Q() {
    x = 0;
    x = 1;
    c!1;
    x = 2;
    d!1,2
}
