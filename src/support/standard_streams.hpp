// The standard streams of the process, which the parent process may have closed.
#pragma once

namespace tideline::support {

// Makes sure that descriptors 0 to 2 are open, before anything else is opened: a file that got one of them would
// receive what is printed. A stream that was closed stays unusable: reading and writing fail, so that lost output is
// noticed.
void occupy_standard_streams();

}  // namespace tideline::support
