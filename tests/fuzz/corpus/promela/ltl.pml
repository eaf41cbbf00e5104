#define up (x == 1)
byte x;
ltl p { [] (up -> <> !up) }
active proctype P() { end: do :: x = 1 - x od unless { x > 3 } }
never { T0: do :: up -> goto accept :: true od; accept: do :: !up od }
