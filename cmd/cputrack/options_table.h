/* The table of the options of cputrack. */
#ifndef CPUTRACK_OPTIONS_TABLE_H
#define CPUTRACK_OPTIONS_TABLE_H

#include "common/options_table.h"

/* The values of the long options that cputrack alone has. */
enum { OPTIONS_NAMES = OPTIONS_END, OPTIONS_THREADS };

extern const struct options_command cputrack_command;

#endif
