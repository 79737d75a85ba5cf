/* cpustat: count events of CPUs, whatever runs there, after Solaris cpustat(1M). */
#include <info.h>
#include <message.h>
#include <stdlib.h>
#include <streams.h>

#include "options.h"
#include "replay.h"
#include "run.h"

int main(int argc, char **argv)
{
	struct options o;
	int status;

	streams_guard();
	options_parse(&o, argc, argv);
	message_debug(o.debug);
	if (o.capabilities)
		status = info_capabilities(&o.suite, options_usage);
	else if (o.suite.tell)
		status = info_tell(&o.suite);
	else
		status = o.input ? replay(&o) : run(&o);
	free(o.spec);
	return status;
}
