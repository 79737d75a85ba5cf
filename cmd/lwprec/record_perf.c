/* lwprec record: records of samples of perf events. */
#include <err.h>

#include "common/status.h"
#include "record.h"

int record_perf(const struct record *r)
{
	errx(EXIT_TOOL, "this version cannot record the events of '%s' by perf events",
	     r->argv[0]);
}
