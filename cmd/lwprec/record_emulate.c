/* lwprec record: the LWP instructions of a program, emulated. */
#include <err.h>

#include "common/status.h"
#include "record.h"

int record_emulate(const struct record *r)
{
	errx(EXIT_TOOL, "this version cannot emulate the LWP instructions of '%s'",
	     r->argv[0]);
}
