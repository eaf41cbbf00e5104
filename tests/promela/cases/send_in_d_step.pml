// spin: states=- transitions=- errors=1
// A send through a rendezvous channel in a d_step is an error.
chan r=[0] of {byte}; byte x;
active proctype A(){ d_step{ if :: r!5 -> x=1 :: x==0 -> x=4 fi; x=3 } }
active proctype B(){ byte v; r?v; x=x+v; x=0 }
