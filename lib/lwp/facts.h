/* The text of the first note of a recording: lines "key=value". */
#ifndef LWP_FACTS_H
#define LWP_FACTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "lwp/recording.h"

/*
 * Owner and types of the notes. The types are none of elf.h's: debuggers look at the type
 * alone.
 */
#define FACTS_OWNER  "OpenCPC"
#define FACTS_TEXT   0x4c570001
#define FACTS_COUNTS 0x4c570002

/* Where the bytes of a ring are in the file. */
struct facts_place {
	uint64_t block, bytes;
};

/* Append the text for *r, whose rings are at these places. */
void facts_write(struct textbuf *b, const struct recording *r,
		 const struct facts_place *place);

/*
 * Read n bytes of text into *r, whose strings and arrays are allocated in r->owner. file,
 * of size bytes, has the rings; what is beyond its end is left out. Returns 0, or -1 with
 * EINVAL or ENOMEM and a reason in why, which has room for room bytes.
 */
int facts_read(struct recording *r, const uint8_t *text, size_t n, const uint8_t *file,
	       size_t size, char *why, size_t room);

#endif
