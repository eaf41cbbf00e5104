/* Mutual exclusion by a flag, wrongly: both workers may find it down before either of them raises it. */
bool busy;
byte inside;

active [2] proctype Worker() {
  do
  :: !busy -> busy = true;      /* looks first, and raises the flag then */
     inside++;
     assert(inside == 1);
     inside--;
     busy = false
  od
}
