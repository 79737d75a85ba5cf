/* The list of counters, events and attributes that -h of the Solaris tools prints. */
#ifndef SUITE_TELL_CAPABILITIES_H
#define SUITE_TELL_CAPABILITIES_H

#include <libcpc.h>

/*
 * Return the list for the processor of cpc, which the caller frees, or NULL with ENOMEM.
 */
char *capabilities_text(cpc_t *cpc);

#endif
