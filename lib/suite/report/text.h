/* Reports as text for people. */
#ifndef SUITE_REPORT_TEXT_H
#define SUITE_REPORT_TEXT_H

#include "suite/report/writer.h"

extern const struct report_writer report_text;

#endif
