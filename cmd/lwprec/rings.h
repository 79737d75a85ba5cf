/* The facts about a recording and its rings, and what is wrong with them. */
#ifndef LWPREC_RINGS_H
#define LWPREC_RINGS_H

#include "base/text.h"
#include "inputs.h"

/*
 * Return the facts about a recording, or about a ring, as comments or JSON, for the
 * caller to free; NULL if memory ran out.
 */
char *rings_recording(const struct recording *r, enum text_format format);
char *rings_ring(const struct recording *r, size_t ring, const struct recording_view *v,
		 enum text_format format);

/*
 * Print messages about a ring whose records cannot be complete or right: problems of its
 * LWPCB, missing bytes, missed events. Returns how many there are. found: what
 * recording_view() returned; name: of the file.
 */
unsigned rings_warn(const char *name, const struct recording *r, size_t ring,
		    const struct recording_view *v, int found);

#endif
