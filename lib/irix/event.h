/*
 * The events of perfex(1): 32 numbers, of which a processor's table says what they are. 0-15
 * are counted by its counter 0, 16-31 by its counter 1.
 */
#ifndef IRIX_EVENT_H
#define IRIX_EVENT_H

#include <libcpc.h>

enum { PERFEX_NEVENTS = 32, PERFEX_HALF = 16 };

/* Is cpu a processor that perfex has the events of (r10000, r12000)? */
int perfex_knows(const char *cpu);

/*
 * The number of an event of cpu by a decimal number or by its name in the table. -1, EINVAL:
 * a number, but not one from 0 to 31; ENOENT: some other text.
 */
int perfex_number(const char *cpu, const char *text);

/* Its name in the table, and its label; NULL for numbers that there are none of. */
const char *perfex_name(const char *cpu, int number);
const char *perfex_label(const char *cpu, int number);

#endif
