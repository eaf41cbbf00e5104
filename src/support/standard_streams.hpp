// The standard streams of the process, which whoever starts it may have closed.
#pragma once

namespace tideline {

// Makes sure that descriptors 0 to 2 are open, before anything else is opened: a file that got one of them would receive what is printed.
// What was closed stays of no use: reading and writing fail, so that output that is lost is noticed.
void occupy_standard_streams();

}  // namespace tideline
