// Integers of 128 bits.
#pragma once

namespace tideline::support {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

}  // namespace tideline::support
