#include "spec/value.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

/*
 * A number as strtoll(3) reads it in base 0. The original ignored what follows the
 * number; here it is an error.
 */
static int read_number(struct span text, uint64_t *val)
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

/* Read a number of 64 bits without a sign, and advance *s behind the number. */
static int read_unsigned(const char **s, uint64_t *val)
{
	char *end;

	if (!isdigit((unsigned char)**s))
		return 0;
	errno = 0;
	*val = strtoull(*s, &end, 0);
	*s = end;
	return !errno;
}

/* Skip the byte c. Returns 0 if another byte is at *s. */
static int skip(const char **s, char c)
{
	if (**s != c)
		return 0;
	++*s;
	return 1;
}

/*
 * Read any of the slots "mifb", which are bits 63 to 60 of the matcher; none means all.
 */
static uint64_t read_slots(const char **s)
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
 * pfmon's "[mifb]:match:mask" of 27 bits each, in the layout of PMC8 and PMC9 of an
 * Itanium 2: match is in bits 33 to 59, mask in bits 3 to 29.
 */
static int read_opcode(struct span text, uint64_t *val)
{
	enum { BITS = 27, MATCH = 33, MASK = 3 };
	const char *s = text.s;
	uint64_t match, mask;

	if (!s)
		return 0;
	if (read_unsigned(&s, val))
		return s == text.s + text.len;
	s = text.s;
	*val = read_slots(&s);
	if (!skip(&s, ':') || !read_unsigned(&s, &match) || !skip(&s, ':') ||
	    !read_unsigned(&s, &mask) || (match | mask) >> BITS)
		return 0;
	*val |= match << MATCH | mask << MASK;
	return s == text.s + text.len;
}

static int read_range(struct span text, uint64_t *val)
{
	const char *s = text.s;

	return s && read_unsigned(&s, &val[0]) && skip(&s, '-') &&
	       read_unsigned(&s, &val[1]) && s == text.s + text.len && val[0] < val[1];
}

const char *spec_value(struct span text, enum spec_form form, struct spec_value *v)
{
	*v = (struct spec_value){{0}};
	if (form == SPEC_OPCODE)
		return read_opcode(text, v->val)
			       ? NULL
			       : "write a number of 64 bits, or [mifb]:match:mask with "
				 "numbers of 27 bits";
	if (form == SPEC_RANGE)
		return read_range(text, v->val)
			       ? NULL
			       : "write START-END; END is above START and is "
				 "the first address after the range";
	return read_number(text, v->val) ? NULL : "";
}
