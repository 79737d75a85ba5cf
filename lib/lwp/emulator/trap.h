/* The handler of SIGILL, and the program's own. */
#ifndef LWP_EMULATOR_TRAP_H
#define LWP_EMULATOR_TRAP_H

#include <signal.h>
#include <stdint.h>

#include "lwp/emulator/report.h"

/* As sigaction(2) of SIGILL, for the signals that are not of LWP instructions. */
void trap_set_action(const struct sigaction *action, struct sigaction *before);

/* Report to a tracer. Returns whether there is one. */
int trap_report(enum report_kind kind, const void *p);

#endif
