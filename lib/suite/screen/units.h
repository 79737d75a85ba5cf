/* Numbers and times in few characters, for tables and charts that people read. */
#ifndef SUITE_SCREEN_UNITS_H
#define SUITE_SCREEN_UNITS_H

#include <stdint.h>

#include "base/text.h"

/* The most characters of units_put(). */
enum { UNITS_WIDTH = 6 };

/*
 * Append a value of a unit of struct row_set in a cell. A value of "ns" becomes a time of
 * three digits, if it is not 0: "98.7ms". Any other value is a number: as it is below
 * 10000, and with three digits and a prefix of SI above: "12.3k".
 */
void units_put(struct textbuf *b, double value, const char *unit, unsigned width);

/* Returns a time of ns in us, rounded. */
uint64_t units_us(uint64_t ns);

/* Append a time exactly, in the largest unit in which it is an integer: "1500 ms". */
void units_interval(struct textbuf *b, int64_t ns);

#endif
