// spin: states=166 transitions=308 errors=0
// In an option, a skip behind a skip or a printf is dropped unless it has a label or is the last statement.
byte x, y;

active proctype P() {
    skip;
    skip;
    if
    :: x < 9 -> skip; skip; skip; y = 1; skip; skip
    :: x < 9 -> printf("a"); skip; y = 2; skip; printf("b"); skip; 1; y = 3
    :: x < 9 -> skip; named: skip; skip; skip; true
    :: x < 9 -> { skip; skip; skip }; y = 4
    fi;
    skip;
    skip;
    y = 5
}

active proctype Q() {
    x = 1;
    x = 2;
    x = 3
}
