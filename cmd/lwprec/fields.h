/* The fields of a decoded record, and the lines that are made of them. */
#ifndef LWPREC_FIELDS_H
#define LWPREC_FIELDS_H

#include <stddef.h>
#include <stdint.h>

#include <lwp.h>
#include "base/text.h"

/* A string as it stands in a line, with quotes where the format has them. */
struct field_word {
	const char *s;
	size_t n;
};

/* The values of a line: those whose bits are set in known; others may be anything. */
struct field_values {
	uint64_t known; /* FIELD_BIT() */
	uint64_t ring, index, slot, tid, core, id, ip, data2, data1, flags, timestamp;
	uint64_t latency, address, target, offset, line;
	struct field_word event, detail, source, state, thread, symbol, module, file;
};

enum field_id {
	FIELD_RING,
	FIELD_INDEX,
	FIELD_SLOT,
	FIELD_STATE,
	FIELD_TID,
	FIELD_THREAD,
	FIELD_CORE,
	FIELD_EVENT,
	FIELD_ID,
	FIELD_IP,
	FIELD_DATA2,
	FIELD_DATA1,
	FIELD_FLAGS,
	FIELD_DETAIL,
	FIELD_TIMESTAMP,
	FIELD_TARGET,
	FIELD_ADDRESS,
	FIELD_LATENCY,
	FIELD_SOURCE,
	FIELD_SYMBOL,
	FIELD_OFFSET,
	FIELD_MODULE,
	FIELD_FILE,
	FIELD_LINE,
	FIELDS
};

#define FIELD_BIT(id) (UINT64_C(1) << (id))

/* The fields of the lines, in their order. */
struct fields {
	enum text_format format;
	unsigned n;
	uint8_t id[FIELDS];
	uint64_t chosen; /* bits of them */
	size_t room;	 /* for a line without words of its own */
	struct field_word event[256], detail[2][16], source[8];
};

/*
 * Choose the fields of a list of names with commas. Returns NULL, or the name that is
 * wrong: not known, or a second time in the list; valid until the next call.
 */
const char *fields_choose(struct fields *f, const char *list);

/* Return the name of a field; NULL if id is FIELDS. */
const char *fields_name(unsigned id);

/* Make the words of a format. Returns 0, or -1 with ENOMEM. fields_free() frees them. */
int fields_begin(struct fields *f, enum text_format format);
void fields_free(struct fields *f);

/*
 * Return a copy of s as a word of the format; a text without characters that could break
 * its line. The caller frees word.s, which is NULL if memory ran out.
 */
struct field_word fields_word(enum text_format format, const char *s);

/* Set the values that the record has. */
void fields_record(const struct fields *f, struct field_values *v, const lwp_record_t *r);

/* Append the titles of the columns of text or CSV. */
void fields_titles(const struct fields *f, struct textbuf *b);

/*
 * Return how many bytes fields_line() can write for a line whose thread, symbol, module
 * and file are set where they are known.
 */
size_t fields_room(const struct fields *f, const struct field_values *v);

/* Write a line at p, and return its end. */
char *fields_line(const struct fields *f, const struct field_values *v, char *p);

#endif
