// spin: states=18408 transitions=39904 errors=254
// Reaching the end of a notrace is an error; the first message that does not fit ends it.
chan q[2]=[2] of {byte}; byte x;
notrace { q[0]!1; q[1]?2; if :: q[0]?1 :: q[0]?eval(x) -> q[1]!7 fi; q[0]!9 }
active proctype A(){ byte i; do :: q[0]!1; i++ :: q[1]!2 :: i>1 -> break od; q[0]!9 }
active proctype B(){ do :: q[0]?_; x=1 :: q[1]?_ od }
