// spin: states=14 transitions=13 errors=0
// Elements of an array of bits are bytes, and so is a message that is one bit; the last of the initial values is that of all further elements.
typedef T {
    bit g[2];
    bit h;
    bool k[2]
}
T s;
short a[4] = { 2, 1 };
bit b[3];
bit d;
chan one = [1] of { bit };
chan two = [1] of { bit, bool };
byte z, y;

active proctype P() {
    bit l[2];
    b[1] = 3;
    d = 3;
    s.g[1] = 3;
    s.h = 3;
    s.k[1] = 260;
    l[1] = 5;
    one!3;
    one?z;
    assert(a[2] == 1 && a[3] == 1 && b[1] == 3 && d == 1 && s.g[1] == 3 && s.h == 1 && s.k[1] == 4 && l[1] == 5 && z == 3);
    two!3,2;
    two?z,y;
    assert(z == 1 && y == 0)
}
