// The page of the HTML report, as src/report/html/ has it: what comes before the data of a run, and what comes behind.
#pragma once

namespace tideline::report {

extern const char* const kPageBeforeData;
extern const char* const kPageAfterData;

}  // namespace tideline::report
