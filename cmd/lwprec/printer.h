/* Prints records as lines, many millions a second. */
#ifndef LWPREC_PRINTER_H
#define LWPREC_PRINTER_H

#include "columns.h"
#include "common/out.h"
#include "decode_options.h"
#include "fields.h"
#include "places.h"

/* Why a record is printed. */
enum printer_state {
	PRINTER_UNREAD,	 /* it is between tail and head */
	PRINTER_MISSED,	 /* it is the last one that found no room */
	PRINTER_OLD,	 /* it was read before, or its slot was never written */
	PRINTER_PENDING, /* it was not stored when the thread was stopped */
	PRINTER_STATES
};

struct printer {
	const struct decode_options *options;
	const struct recording *recording;
	struct fields fields;
	struct columns columns;
	int has_columns;       /* the fields are those of columns; symbol may follow */
	int is_plain;	       /* columns can write the lines of this ring */
	struct places *places; /* NULL: no field and no filter needs names */
	struct out *out;
	char *buffer; /* text that is not written yet */
	size_t len, size;
	struct field_word state[PRINTER_STATES], thread; /* thread: of the ring */
	struct field_values values;
	pid_t tid;		 /* of the ring; 0: not known */
	uint64_t first;		 /* index of the slot that is number 0 of a ring */
	uint64_t matched, empty; /* records that were printed; unread slots with id 0 */
};

/* Prepare to print records of *r to out. Exits if memory runs out. */
void printer_begin(struct printer *p, const struct decode_options *o,
		   const struct recording *r, struct out *out);
void printer_end(struct printer *p);

/* Print text between records; NULL counts as ENOMEM. The text is freed. */
void printer_text(struct printer *p, char *text);

/* Write what is in the buffer. */
void printer_flush(struct printer *p);

/* The next records are of this ring of the recording. */
void printer_ring(struct printer *p, size_t ring);

/* Print the slots of a ring from one number up to another (lwp_ring_slot()). */
void printer_slots(struct printer *p, const lwp_ring_t *ring, uint32_t from, uint32_t to,
		   enum printer_state state);

/* Print a record that is in no slot. */
void printer_record(struct printer *p, const lwp_record_t *r, enum printer_state state);

#endif
