/* The report of --doctor: what can be counted on this machine, and what to change. */
#ifndef SUITE_TELL_DOCTOR_H
#define SUITE_TELL_DOCTOR_H

#include <libcpc.h>

/*
 * Return the report, with a line for each check, which the caller frees, or NULL with
 * ENOMEM.
 */
char *doctor_text(cpc_t *cpc);

#endif
