// spin: states=153 transitions=262 errors=0
// An inline that returns a value.
int g; byte arr[3];
inline max(a,b) { if :: a>b -> return a :: else -> return b fi }
inline sq(a) { int t; t = a*a; return t+0 }
active [2] proctype P(){ int r; r = max(g,_pid); g = sq(r+1); arr[_pid] = max(arr[0],3); assert(g<30) }
