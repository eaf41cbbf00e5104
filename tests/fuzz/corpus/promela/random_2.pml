mtype = { ma, mb, mc }
typedef T { byte f; bit g[2] }
T s;
T ss[2];
int g0;
chan c0 = [0] of { byte, bit };
inline step(v, w) { v = (v + w) % 3 }
proctype P0(byte p) {
  chan q = c0;
end0:
  do
  :: g0 <= 1 ->
    if
    :: p > 1 ->
      p = (((g0 % 3) & (p > 0 -> p : g0))) % 3
    fi;
    if
    :: ((s.f) || p <= 0) ->
      (g0 == 1)
    :: p > 1 ->
      p = ((0 * (2 % 3) - 1)) % 4;
      g0 = (((2 & g0) % 3)) % 3
    :: else -> skip
    fi
  :: p != 2 ->
    (p == 2);
    break
  :: else -> break
  od;
  q!1,1;
  p = ((0 % 3)) % 3;
  ((ss[1].g[1] == 1))
}
init {
  run P0(2);
  do
  :: !(g0 <= 2) ->
    c0!g0,1
  :: (ss[1].g[0] == 1) ->
    g0 = (g0) % 3;
    g0 = (3) % 4
  :: else -> break
  od
}
