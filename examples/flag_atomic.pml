/* Mutual exclusion by a flag: looking and raising are one step. */
bool busy;
byte inside;

active [2] proctype Worker() {
  do
  :: atomic { !busy -> busy = true };
     inside++;
     assert(inside == 1);
     inside--;
     busy = false
  od
}
