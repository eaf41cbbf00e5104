mtype = { ma, mb, mc }
typedef T { byte f; bit g[2] }
T s;
T ss[2];
bool g0;
bool g1;
byte a[3];
chan c0 = [2] of { byte, bit };
inline step(v, w) { v = (v + w) % 3 }
proctype P0() provided (g1 < 2) {
  byte x;
  chan q = c0;
  g1 = (_pid) % 4;
  if
  :: !(!(g1 < 0)) ->
    x = (((g0 * a[2] - 1) + (g0 + g0))) % 3;
    x = (a[1]) % 3
  :: (g0 != 2 && x >= 0) ->
    x = ((a[0] > 0 -> (x + 3) : g0)) % 4;
    a[g0 % 3] = (x) % 4
  fi
}
proctype P1() {
  byte x;
  (s.f != 0);
  s.f = (g0) % 3
}
init {
  atomic {
  run P0();
  };
  skip
}
