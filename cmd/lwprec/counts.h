/* The number of records of each event in each ring. */
#ifndef LWPREC_COUNTS_H
#define LWPREC_COUNTS_H

#include "decode_options.h"

/* The number of records by id of their event. */
struct counts {
	uint64_t n[256];
};

/* Add the records of a ring, by a thread (0: not known), that match the filters. */
void counts_add(struct counts *c, const lwp_ring_t *ring, const struct filters *f,
		pid_t tid);

/*
 * Append a line for each event of a ring that has records. Without events the ring has no
 * line.
 */
void counts_lines(struct textbuf *b, const struct counts *c, size_t ring, pid_t tid,
		  enum text_format format);

/* Append the title of these lines. */
void counts_title(struct textbuf *b, enum text_format format);

#endif
