// spin: states=- transitions=- errors=1
// Further on in a d_step such a receive blocks.
chan r=[0] of {byte}; byte x; 
active proctype A(){ r!1 }
active proctype B(){ byte v; d_step { x==0; x=1; if :: r?v :: x==2 fi } }
