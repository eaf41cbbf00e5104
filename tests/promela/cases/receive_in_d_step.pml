// spin: states=12 transitions=11 errors=0
// A d_step may begin with a receive through a rendezvous channel.
chan r=[0] of {byte,byte}; chan k[2]=[0] of {byte}; byte x; 
active proctype A(){ byte i; do :: i<2 -> r!i,x; i++ :: else -> break od; k[1]!4; k[0]!x }
active proctype B(){ byte v,w; do :: d_step { r?v,w -> x=v+w; if :: x>0 -> x=0 :: else -> x=2 fi; w=0 } :: k[1]?v; d_step { k[0]?w; v=w; w=0 }; break od }
