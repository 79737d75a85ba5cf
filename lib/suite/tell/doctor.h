/* What works on this machine, what does not, and what would help. */
#ifndef SUITE_TELL_DOCTOR_H
#define SUITE_TELL_DOCTOR_H

#include <libcpc.h>

/* The report, malloc'ed: a line for each thing that was checked. NULL: ENOMEM. */
char *doctor_text(cpc_t *cpc);

#endif
