mtype = { ma, mb, mc }
int g0;
bool g1;
byte a[3];
chan c0 = [1] of { byte };
proctype P0() {
  c0?_;
  c0!!0;
  (!((a[1] != 1 || g0 < 0)))
}
proctype P1() {
  chan q = c0;
  if
  :: 
    do
    :: g0 >= 1 ->
      g0 = (((a[0] > 0 -> g1 : g0) % 3)) % 3;
      break
    :: g0 <= 0 ->
      g1 = ((1 % 3)) % 3
    :: else -> break
    od
  :: 
    if
    :: g0 <= 1 ->
      g0 = (_pid) % 4
    :: g1 > 1 ->
      g0 = (g1) % 3
    :: else -> skip
    fi;
    g0 = ((3 & a[1])) % 4
  fi;
  g1 = ((_pid % 3)) % 3;
  (a[0] < 1);
  if
  :: ((1) && (g1 == 1)) ->
    g1 = ((g0 > 0 -> g0 : (g1 % 3))) % 3
  fi
}
init {
  atomic {
  run P0();
  };
  (_nr_pr == 1);
  c0!g0
}
