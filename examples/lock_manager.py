#!/usr/bin/env python3
"""Writes a lock manager with a clock, a master and a number of devices as a DVE model.

    examples/lock_manager.py 4 > /tmp/lock.dve
    tideline explore /tmp/lock.dve --engine sweep --progress now --symmetry auto

When the system is switched on, every device boots in 1 to 3 units of time and asks for the key, again and again, until the master, which boots
in 2, has made one. Then devices take turns in holding it. The clock moves when nobody has anything to do at this time, and never back: it is the progress.
Devices are copies of each other. The timers count down modulo 4: so no assignment can fail, and their order does not matter. (In the style of the lock management protocol of audio systems in section 4 of the survey of the sweep-line method, 2012.)
"""
import argparse


def model(devices, limit):
    every = range(devices)
    each = lambda form, glue: glue.join(form.format(i=i) for i in every)
    text = [f"// a lock manager with {devices} devices, until time {limit}",
            "byte now;", f"byte timer[{devices}];", "byte master_timer = 2;", "byte keys;", "byte asked;", f"byte holder = {devices};", "",
            "process Clock {", "  state run;", "  init run;", "  trans",
            f"    run -> run {{ guard now < {limit} and master_timer > 0 and {each('timer[{i}] > 0', ' and ')};",
            f"      effect now = now + 1, master_timer = master_timer - 1, {each('timer[{i}] = (timer[{i}] + 3) % 4', ', ')}; }};", "}", "",
            "process Master {", "  state booting, ready;", "  init booting;", "  trans",
            "    booting -> ready { guard master_timer == 0; effect master_timer = 1; },",
            "    ready -> ready { guard master_timer == 0 and asked == 1 and keys == 0; effect keys = keys + 1, master_timer = 1; },",
            "    ready -> ready { guard master_timer == 0 and (asked == 0 or keys > 0); effect master_timer = 1; };", "}", ""]
    for i in every:
        text += [f"process Device{i} {{", "  state off, asking, idle, using;", "  init off;", "  trans",
                 *(f"    off -> asking {{ effect timer[{i}] = {delay}; }}," for delay in (1, 2, 3)),
                 f"    asking -> asking {{ guard timer[{i}] == 0 and keys == 0; effect asked = 1, timer[{i}] = 2; }},",
                 f"    asking -> idle {{ guard timer[{i}] == 0 and keys > 0; effect timer[{i}] = 1; }},",
                 f"    idle -> using {{ guard timer[{i}] == 0 and holder == {devices}; effect holder = {i}, timer[{i}] = 2; }},",
                 f"    idle -> idle {{ guard timer[{i}] == 0; effect timer[{i}] = 1; }},",
                 f"    using -> idle {{ guard timer[{i}] == 0 and holder == {i}; effect holder = {devices}, timer[{i}] = 3; }};", "}", ""]
    return "\n".join(text) + "system async;\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("devices", type=int)
    parser.add_argument("--limit", type=int, default=8, help="how far the clock goes (default: 8)")
    args = parser.parse_args()
    if not 1 <= args.devices <= 12 or not 1 <= args.limit <= 200:
        parser.error("devices are from 1 to 12, the limit from 1 to 200")
    print(model(args.devices, args.limit), end="")


main()
