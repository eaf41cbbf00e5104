// spin: states=11 transitions=10 errors=0
// Where no process is left nobody asks whether the trace is complete.
mtype={a,b}; chan q=[2] of {mtype,byte};
trace { do :: q!a,_ ; q?a,_  :: q!b,_ ; q?b,_ od }
active proctype A(){ q!a,1; q??[a] == 0; q!b,2; len(q)==0; q!a,3 }
active proctype B(){ byte v; q?a,v; q?b,v; q?a,v }
