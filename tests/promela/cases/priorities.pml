// spin: states=34 transitions=35 errors=0
// Only a process of the highest priority among those that have a step moves.
byte x, y;
chan c = [1] of { byte };

proctype Child() {
    x = x + 10;
    y = get_priority(_pid)
}

active proctype Medium() priority 5 {
    set_priority(2, 7);
    c?_;
    x++;
    run Child() priority 9;
    x++;
    run Child();
    _priority = 2;
    y = _priority
}

active proctype Low() {
    y = 1;
    c!1;
    y = 2
}

active proctype High() priority 3 {
    x == 0;
    x = 1;
    (y == 2) -> x = 2
}
