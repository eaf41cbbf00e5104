// spin: states=- transitions=- errors=9
// A trace moves with every message through its channels; fields that it leaves out fit everything.
mtype={a,b}; chan q=[2] of {mtype,byte}; chan r=[0] of {byte}; byte x;
trace { end: do :: q!a,_ ; q?a,1 ; :: q!b ; q?b ; :: r!3 -> r?3 od }
active proctype A(){ q!a,1; q!b,2; r!3 }
active proctype B(){ byte v; do :: q?a,v :: q?_,v :: r?x; break od }
