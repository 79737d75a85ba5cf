/* Values of attributes, as event specifications write them. */
#ifndef SUITE_REQUEST_VALUE_H
#define SUITE_REQUEST_VALUE_H

#include <stdint.h>

#include "suite/request/item.h"
#include "suite/request/spec.h"

struct spec_value {
	uint64_t val[2]; /* the second: end of a range */
};

/*
 * What stands behind the '='; text.s NULL: there is no '='. Behind the text there is a
 * comma or NUL. NULL and *v, or what would be right ("" for a mere number).
 */
const char *spec_value(struct span text, enum spec_form form, struct spec_value *v);

#endif
