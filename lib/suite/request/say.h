/* Adding words to what is said of an error in an event specification. */
#ifndef SUITE_REQUEST_SAY_H
#define SUITE_REQUEST_SAY_H

#include <stdint.h>

#include "suite/request/item.h"
#include "suite/request/spec.h"

/* What does not fit is cut. */
__attribute__((format(printf, 2, 3))) void spec_say(struct spec_error *err,
						    const char *fmt, ...);

/* As a precision for "%.*s": names are shown whole, junk is not. */
int spec_shown(struct span s);

/* "pic0", "pic0 and pic1", "pic0, pic1 and pic2", "pic0 to pic31"; last: " and " there. */
void spec_say_pics(struct spec_error *err, uint64_t pics, const char *last);

#endif
