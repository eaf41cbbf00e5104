#!/usr/bin/env python3
"""Writes the stop-and-wait protocol as a DVE model: N data packets, a network that holds C messages.

    examples/stop_and_wait.py 10 3 > /tmp/stop_and_wait.dve
    tideline explore /tmp/stop_and_wait.dve --engine sweep --progress n,k

A sender repeats packet n until it is acknowledged; the receiver answers with the number k of the packet that it expects next. Messages
may be lost while they are on the way, and overtake each other. The pair (n, k) never decreases: it is the progress of the system.
With --second, packets that are not expected get no answer; then a lost acknowledgement leaves the sender stuck.
"""
import argparse


def steps(name, location, rows):
    body = ",\n".join(f"    {location} -> {location} {{ {row} }}" for row in rows)
    return f"process {name} {{\n  state {location};\n  init {location};\n  trans\n{body};\n}}\n"


def model(packets, capacity, second):
    size = packets + 2
    data = range(1, packets + 1)
    acks = range(1, packets + 2)
    text = [f"// stop-and-wait, {packets} packets, capacity {capacity}" + (", second variant" if second else ""),
            "byte n, k, messages;        // packet being sent, packet expected, messages in the network",
            f"byte sent[{size}], arrived[{size}];            // data packets, by number: how many of each",
            f"byte ack_sent[{size}], ack_arrived[{size}];    // acknowledgements, likewise", ""]
    sender = [f"    sending -> sending {{ guard n <= {packets} and messages < {capacity}; effect sent[n] = sent[n] + 1, messages = messages + 1; }}"]
    for p in acks:
        taken = f"ack_arrived[{p}] = ack_arrived[{p}] - 1, messages = messages - 1"
        sender.append(f"    sending -> sending {{ guard ack_arrived[{p}] > 0 and n < {p}; effect {taken}, n = {p}; }}")
        sender.append(f"    sending -> sending {{ guard ack_arrived[{p}] > 0 and n >= {p}; effect {taken}; }}")
    text.append("process Sender {\n  state idle, sending;\n  init idle;\n  trans\n    idle -> sending { effect n = 1, k = 1; },\n"
                + ",\n".join(sender) + ";\n}\n")
    network = []
    for one, other, numbers in (("sent", "arrived", data), ("ack_sent", "ack_arrived", acks)):
        for p in numbers:
            network.append(f"guard {one}[{p}] > 0; effect {one}[{p}] = {one}[{p}] - 1, {other}[{p}] = {other}[{p}] + 1;")
            network.append(f"guard {one}[{p}] > 0; effect {one}[{p}] = {one}[{p}] - 1, messages = messages - 1;")
    text.append(steps("Network", "carrying", network))
    receiver = []
    for p in data:
        taken = f"arrived[{p}] = arrived[{p}] - 1"
        receiver.append(f"guard arrived[{p}] > 0 and k == {p}; effect {taken}, k = k + 1, ack_sent[k] = ack_sent[k] + 1;")
        answer = "messages = messages - 1" if second else "ack_sent[k] = ack_sent[k] + 1"
        receiver.append(f"guard arrived[{p}] > 0 and k != {p}; effect {taken}, {answer};")
    text.append(steps("Receiver", "waiting", receiver))
    return "\n".join(text) + "\nsystem async;\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("packets", type=int)
    parser.add_argument("capacity", type=int)
    parser.add_argument("--second", action="store_true", help="acknowledge only the expected packet")
    args = parser.parse_args()
    if not (1 <= args.packets <= 250 and 1 <= args.capacity <= 250):
        parser.error("packets and capacity are from 1 to 250")
    print(model(args.packets, args.capacity, args.second), end="")


main()
