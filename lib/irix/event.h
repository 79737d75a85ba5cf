/*
 * The 32 events of perfex(1) on a processor of IRIX, whose names are in the processor's
 * event table. Counter 0 counts events 0-15 and counter 1 counts events 16-31.
 */
#ifndef IRIX_EVENT_H
#define IRIX_EVENT_H

enum { IRIX_NEVENTS = 32, IRIX_HALF = 16 };

/* Return nonzero if cpu is a processor with these events: r10000 or r12000. */
int irix_event_has_cpu(const char *cpu);

/*
 * Return the number of the event of cpu that text names: a decimal number or a name in
 * the event table. Returns -1 with EINVAL for a number above 31, or ENOENT for any other
 * text.
 */
int irix_event_number(const char *cpu, const char *text);

/*
 * Return an event's name in the event table or its label, or NULL if there is no event.
 */
const char *irix_event_name(const char *cpu, int number);
const char *irix_event_label(const char *cpu, int number);

#endif
