// spin: states=166 transitions=225 errors=15
// select between two numbers, and between others.
byte x; int y=-3;
active proctype A(){ byte i; select(i : 1..4); x = i; select(y : -2..2); assert(y>=-2) }
active proctype B(){ x==2; y=7 }
