/* The capability listing that -h of the Solaris tools prints. */
#ifndef SUITE_TELL_CAPABILITIES_H
#define SUITE_TELL_CAPABILITIES_H

#include <libcpc.h>

/* The text, malloc'ed. NULL: ENOMEM. */
char *capabilities_text(cpc_t *cpc);

#endif
