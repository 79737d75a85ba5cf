/*
 * Reports for programs: CSV, as the commands that measure print it, and JSON, which is
 * the records of all files as they are.
 */
#ifndef SUITE_REPORT_DATA_H
#define SUITE_REPORT_DATA_H

#include "suite/report/writer.h"

extern const struct report_writer report_csv;
extern const struct report_writer report_json;

#endif
