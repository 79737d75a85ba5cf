/* The options of lwprec decode. */
#ifndef LWPREC_DECODE_OPTIONS_H
#define LWPREC_DECODE_OPTIONS_H

#include "filters.h"
#include "inputs.h"

struct decode_options {
	struct options_shared shared;
	struct input_options input;
	struct filters filters;
	const char *file;
	const char *fields; /* -F, or NULL */
	char *output;	    /* -o, or NULL */
	pid_t pid;	    /* -p, or 0 */
	int all;	    /* --all: slots that hold no unread records, too */
	int count;	    /* --count: print numbers of records */
	int follow;	    /* --follow: print records as they come */
	int consume;	    /* --consume: and give their slots back to LWP */
	int mangled;	    /* --mangled: do not demangle names */
	int no_title;	    /* -n */
};

#endif
