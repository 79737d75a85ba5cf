#include "engine/sim_why.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

int sim_why(struct why *why, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why->text, sizeof why->text, fmt, ap);
	va_end(ap);
	errno = err;
	return -1;
}
