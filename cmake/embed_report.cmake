# Makes a C++ source of the page of the HTML report: cmake -DFOLDER=src/report/html -DOUTPUT=FILE -P embed_report.cmake
# The style and the scripts are put into the page, which is cut where the data of a run go.
file(READ ${FOLDER}/page.html page)
file(READ ${FOLDER}/style.css style)
set(script "\"use strict\";\n")
foreach(part elements trace evidence charts main)
  file(READ ${FOLDER}/${part}.js text)
  string(REPLACE "\"use strict\";\n" "" text "${text}")
  string(APPEND script "${text}")
endforeach()
string(REPLACE "@STYLE@" "${style}" page "${page}")
string(REPLACE "@SCRIPT@" "${script}" page "${page}")
string(FIND "${page}" "@DATA@" cut)
string(SUBSTRING "${page}" 0 ${cut} before)
math(EXPR cut "${cut} + 6")
string(SUBSTRING "${page}" ${cut} -1 after)
file(WRITE ${OUTPUT} "// Made by cmake/embed_report.cmake.
#include \"report/html_page.hpp\"
namespace tideline::report {
const char* const kPageBeforeData = R\"~page~(${before})~page~\";
const char* const kPageAfterData = R\"~page~(${after})~page~\";
}  // namespace tideline::report
")
