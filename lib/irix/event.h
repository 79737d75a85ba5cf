/*
 * The events of perfex(1): 32 numbers, of which a processor's table says what they are. 0-15
 * are counted by its counter 0, 16-31 by its counter 1.
 */
#ifndef IRIX_EVENT_H
#define IRIX_EVENT_H

#include <libcpc.h>

enum { IRIX_NEVENTS = 32, IRIX_HALF = 16 };

/* Is cpu a processor that perfex has the events of (r10000, r12000)? */
int irix_event_has_cpu(const char *cpu);

/*
 * The number of an event of cpu by a decimal number or by its name in the table. -1, EINVAL:
 * a number, but not one from 0 to 31; ENOENT: some other text.
 */
int irix_event_number(const char *cpu, const char *text);

/* Its name in the table, and its label; NULL for numbers that there are none of. */
const char *irix_event_name(const char *cpu, int number);
const char *irix_event_label(const char *cpu, int number);

#endif
