/* The values of attributes in event specifications. */
#ifndef SPEC_VALUE_H
#define SPEC_VALUE_H

#include <stdint.h>

#include "spec/item.h"
#include "spec/spec.h"

struct spec_value {
	uint64_t val[2]; /* of a range both are used: start and end */
};

/*
 * Parse the text after '=', which a comma or NUL follows; text.s is NULL if there is no
 * '='. Returns NULL and fills *v, or returns the correct syntax ("" for a number).
 */
const char *spec_value(struct span text, enum spec_form form, struct spec_value *v);

#endif
