/* lwprec record: records of events that the simulator counts. */
#include <err.h>

#include "common/status.h"
#include "record.h"

int record_sim(const struct record *r)
{
	errx(EXIT_TOOL, "this version cannot record the events of '%s' by simulation",
	     r->argv[0]);
}
