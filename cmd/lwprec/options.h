/* The options that the subcommands of lwprec share. */
#ifndef LWPREC_OPTIONS_H
#define LWPREC_OPTIONS_H

#include "common/options.h"

/*
 * The entries of each subcommand's array of long options; options_shared_parse() handles
 * them. -h is the same as --help.
 */
/* clang-format off */
#define OPTIONS_LWPREC \
	{"format", required_argument, NULL, OPTIONS_FORMAT}, \
	{"help", no_argument, NULL, OPTIONS_HELP}, \
	{"quiet", no_argument, NULL, OPTIONS_QUIET}, \
	{"strict", no_argument, NULL, OPTIONS_STRICT}, \
	{"version", no_argument, NULL, OPTIONS_VERSION}
/* clang-format on */

/*
 * Handle c, which options_next() returned for one of OPTIONS_LWPREC or for -h, as
 * options_shared_parse() does.
 */
void options_lwprec_parse(struct options_shared *s, int c);

#endif
