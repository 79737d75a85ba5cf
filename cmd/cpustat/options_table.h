/* The table of the options of cpustat. */
#ifndef CPUSTAT_OPTIONS_TABLE_H
#define CPUSTAT_OPTIONS_TABLE_H

#include "common/options_table.h"

/* The values of the long options that cpustat alone has. */
enum { OPTIONS_CGROUP = OPTIONS_END, OPTIONS_OPENMETRICS };

extern const struct options_command cpustat_command;

#endif
