/* The table of the options of cpcreport. */
#ifndef CPCREPORT_OPTIONS_TABLE_H
#define CPCREPORT_OPTIONS_TABLE_H

#include "common/options_table.h"

/* The long options that only cpcreport has. */
enum { OPTIONS_BY = OPTIONS_END };

extern const struct options_command cpcreport_command;

#endif
