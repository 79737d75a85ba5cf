#include "suite/request/value.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

/*
 * Read as strtoll(3) does in base 0. The original took what follows a number for nothing;
 * an error is safer.
 */
static int number(struct span text, uint64_t *val)
{
	char *end;

	if (!text.s) {
		*val = 1;
		return 1;
	}
	errno = 0;
	*val = (uint64_t)strtoll(text.s, &end, 0);
	return !errno && text.len && end == text.s + text.len;
}

/* 64 bits, without a sign, up to a byte that cannot be of a number. */
static int unsigned_at(const char **s, uint64_t *val)
{
	char *end;

	if (!isdigit((unsigned char)**s))
		return 0;
	errno = 0;
	*val = strtoull(*s, &end, 0);
	*s = end;
	return !errno;
}

/* This byte at *s? Then go on behind it. */
static int skip(const char **s, char c)
{
	if (**s != c)
		return 0;
	++*s;
	return 1;
}

/* Any of the slots "mifb", as bits 63 to 60 of the matcher; none stands for all. */
static uint64_t slots_at(const char **s)
{
	static const char names[] = "bfim";
	uint64_t slots = 0;

	for (; **s; ++*s) {
		const int c = tolower((unsigned char)**s);
		unsigned bit = 0;

		while (names[bit] && names[bit] != c)
			bit++;
		if (!names[bit])
			break;
		slots |= UINT64_C(1) << (60 + bit);
	}
	return slots ? slots : UINT64_C(15) << 60;
}

/*
 * pfmon's "[mifb]:match:mask", of 27 bits each, in their places of PMC8 and PMC9
 * (Itanium 2: match in bits 33 to 59, mask in bits 3 to 29).
 */
static int opcode(struct span text, uint64_t *val)
{
	enum { BITS = 27, MATCH = 33, MASK = 3 };
	const char *s = text.s;
	uint64_t match, mask;

	if (!s)
		return 0;
	if (unsigned_at(&s, val))
		return s == text.s + text.len;
	s = text.s;
	*val = slots_at(&s);
	if (!skip(&s, ':') || !unsigned_at(&s, &match) || !skip(&s, ':') ||
	    !unsigned_at(&s, &mask) || (match | mask) >> BITS)
		return 0;
	*val |= match << MATCH | mask << MASK;
	return s == text.s + text.len;
}

static int range(struct span text, uint64_t *val)
{
	const char *s = text.s;

	return s && unsigned_at(&s, &val[0]) && skip(&s, '-') &&
	       unsigned_at(&s, &val[1]) && s == text.s + text.len && val[0] < val[1];
}

const char *spec_value(struct span text, enum spec_form form, struct spec_value *v)
{
	*v = (struct spec_value){{0}};
	if (form == SPEC_OPCODE)
		return opcode(text, v->val)
			       ? NULL
			       : "write a number of 64 bits, or [mifb]:match:mask with "
				 "numbers of 27 bits";
	if (form == SPEC_RANGE)
		return range(text, v->val) ? NULL
					   : "write START-END, the first address behind "
					     "the range, which is above START";
	return number(text, v->val) ? NULL : "";
}
