// spin: states=118 transitions=179 errors=0
// A goto or break whose label has a meaning (progress, end, accept) is a location of its own; one with another label is not.
byte x, y;

active proctype P() {
    do
    :: x == 0 -> x = 1; progress: goto next
    :: x == 0 -> x = 2; end1: break
    :: x == 0 -> x = 3; plain: goto next
    :: x == 0 -> x = 4; first: progress2: goto next
    od;
    y++;
next:
    y++
}

active proctype Q() {
    y = 1;
    y = 2;
    y = 3
}
