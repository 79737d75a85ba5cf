#include "suite/page/arm.h"

static const char *const letters[] = {"A1", "A2", "A3", "A4", "A5", "A6", "A7"};
static const char *const classes[] = {"c0", "c1", "c2", "c3"};

enum { LETTERS = sizeof letters / sizeof *letters };
enum { CLASSES = sizeof classes / sizeof *classes };

const char *arm_letter(unsigned k, unsigned n)
{
	if (k + 1 == n)
		return "B";
	if (n == 2)
		return "A";
	return k < LETTERS ? letters[k] : "A";
}

const char *arm_class(unsigned k)
{
	return classes[k % CLASSES];
}
