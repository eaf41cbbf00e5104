// spin: states=- transitions=- errors=2
// A rendezvous channel cannot be polled.
chan c=[0] of {byte}; byte x;
active proctype S(){ do :: c!1 :: x==1 -> break od }
active proctype R(){ if :: c?[1] -> x=1 :: timeout -> x=1; fi }
