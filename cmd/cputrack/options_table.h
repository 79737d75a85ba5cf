/* The table of the options of cputrack. */
#ifndef CPUTRACK_OPTIONS_TABLE_H
#define CPUTRACK_OPTIONS_TABLE_H

#include "common/options_table.h"

extern const struct options_command cputrack_command;

#endif
