mtype = { ma, mb, mc }
short g0 = 1;
bool g1;
bit g2;
byte a[3];
chan c0 = [1] of { mtype, bit };
chan c1 = [0] of { byte };
active proctype P0() {
  chan q = c0;
  atomic {
    g2 = (a[0]) % 4;
    if
    :: a[0] <= 1 ->
      g0 = (((a[0] > 0 -> g1 : 2) % 3)) % 3;
      skip
    :: 
      q!1,1;
      atomic {
        (g1 <= 2);
        (a[2] > 0);
        c1?_
      }
    fi
  };
  atomic {
    g1 = (1) % 4
  }
}
active proctype P1() {
  byte x;
  (((g2 > 1 || a[1] >= 1) || g2 < 2));
  g1 = ((3 + (g0 & g2))) % 3;
  c0!ma,1
}
