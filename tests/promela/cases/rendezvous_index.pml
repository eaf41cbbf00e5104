// spin: states=- transitions=- errors=1
// A wrong index in a receive is an error although nobody sends.
chan c[2]=[0] of {byte,byte};
active[2] proctype S(){ c[_pid]!_pid,3 }
active proctype R(){ byte a,b; byte i; do :: c[i]?a,eval(3) ; i++ :: i==2 -> break od }
