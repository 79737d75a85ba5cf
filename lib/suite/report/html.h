/* Reports as a page of HTML. */
#ifndef SUITE_REPORT_HTML_H
#define SUITE_REPORT_HTML_H

#include "suite/report/writer.h"

extern const struct report_writer report_html;

#endif
