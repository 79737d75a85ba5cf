/* The capability listing that -h of the Solaris tools prints. */
#ifndef CAPS_H
#define CAPS_H

#include <libcpc.h>

/* The text, malloc'ed. NULL: ENOMEM. */
char *caps_text(cpc_t *cpc);

#endif
