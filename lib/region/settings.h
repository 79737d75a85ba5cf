/* The environment's settings of regions (cpc_region_begin(3)). */
#ifndef REGION_SETTINGS_H
#define REGION_SETTINGS_H

#include <stddef.h>

/* Strings are those of the environment; a program with privileges has no settings. */
struct region_settings {
	const char *events; /* CPC_EVENTS: the specification, or NULL */
	const char *engine; /* CPC_ENGINE, or NULL */
	const char *file;   /* CPC_REGIONS_FILE: a name with placeholders, or NULL */
	int json;	    /* CPC_REGIONS_FORMAT is "json", not "text" */
	int signo;	    /* CPC_REGIONS_SIGNAL, or 0 */
};

/*
 * Read the settings. Returns 0, or -1 with EINVAL and a sentence in err, which has size
 * bytes, if a value is not valid.
 */
int region_settings_read(struct region_settings *s, char *err, size_t size);

#endif
