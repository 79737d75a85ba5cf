/*
 * The usual columns of a record in text (tid, core, event, ip, data2, data1, flags and
 * detail), written without branches: the same bytes as fields_line() writes, several
 * times as fast.
 */
#ifndef LWPREC_COLUMNS_H
#define LWPREC_COLUMNS_H

#include "fields.h"

/* Numbers and words as they stand in their columns. */
struct columns {
	char tid[8];
	char core[256][8], event[256][8];
	char detail[3][16][32]; /* of branches, of misses, of other events */
	uint8_t detail_size[3][16];
	uint8_t kind[256];  /* the first index of detail by id */
	uint8_t known[256]; /* bits: a value is known even if it is 0 */
};

/* The bytes before the detail; a line with a symbol has the symbol behind the detail. */
enum { COLUMNS_DETAIL = 75, COLUMNS_SYMBOL = COLUMNS_DETAIL + 29, COLUMNS_MAX = 128 };

/* The fields of these columns, in their order; FIELD_SYMBOL may follow. */
#define COLUMNS_FIELDS "tid,core,event,ip,data2,data1,flags,detail"

void columns_begin(struct columns *c, const struct fields *f);

/* Set the thread; 0: not known. Returns -1 if its number is wider than the column. */
int columns_set_tid(struct columns *c, uint64_t tid);

/*
 * Write the columns and a newline at p, where COLUMNS_MAX bytes are free, and return the
 * end; or, with padded, a blank for the newline and the detail as wide as its column.
 */
char *columns_line(const struct columns *c, const lwp_record_t *r, int padded, char *p);

#endif
