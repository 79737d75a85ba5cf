/* The table of the options of perfex. */
#ifndef PERFEX_OPTIONS_TABLE_H
#define PERFEX_OPTIONS_TABLE_H

#include "common/options_table.h"

extern const struct options_command perfex_command;

#endif
