mtype = { ma, mb, mc }
typedef T { byte f; bit g[2] }
T s;
T ss[2];
byte g0;
bool g1;
byte a[3];
chan c0 = [2] of { byte, bit };
inline step(v, w) { v = (v + w) % 3 }
proctype P0(byte p) {
  byte x;
  if
  :: ((3) && (0)) ->
    if
    :: !((p == 1)) ->
      d_step {
        g0 = (ss[1].g[1]) % 4
      };
      a[1] = (_pid) % 3
    :: else -> skip
    fi
  fi;
  atomic {
    d_step {
      if
      :: ((a[1]) && (g1)) ->
        x = ((a[2] > 0 -> 3 : (g0 > 0 -> 3 : x))) % 4
      :: else -> skip
      fi;
      p = ((_pid % 3)) % 2
    };
    ((a[g1 % 3] > 0 || a[0] < 2))
  };
  p = ((p > 0 -> 1 : 3)) % 2
}
init {
  atomic {
  run P0(0);
  run P0(2);
  };
  a[g1 % 3] = ((g1 > 0 -> (3 % 3) : (a[2] % 3))) % 2
}
