/* cpustat: count events of CPUs, whatever runs there, after Solaris cpustat(1M). */
#include <stdlib.h>
#include <string.h>

#include "common/catalog.h"
#include "common/info.h"
#include "common/message.h"
#include "common/out.h"
#include "common/status.h"
#include "options.h"
#include "replay.h"
#include "run.h"

/* Only the kernel counts CPUs. If no engine is named, --explain shows known registers. */
static int explain(const struct options *o)
{
	const char *engine = o->shared.engine;
	struct explain_options req = {
		.choice = {.cpu = o->shared.cpu,
			   .engine = strcmp(engine, "kernel") ? engine : NULL,
			   .nspecs = o->nspecs,
			   .spec = o->spec,
			   .running = 1},
		.cpus = 1,
	};

	return info_explain(&o->shared, &req);
}

int main(int argc, char **argv)
{
	struct options o;
	int status;

	out_prepare();
	options_parse(&o, argc, argv);
	message_debug(o.debug);
	if (o.capabilities)
		status = info_capabilities(&o.shared);
	else if (o.shared.show == OPTIONS_SHOW_EXPLAIN)
		status = explain(&o);
	else if (o.shared.show == OPTIONS_SHOW_LIST)
		status = catalog_show(&o.shared, NULL);
	else if (o.shared.show)
		status = info_show(&o.shared);
	else
		status = o.input ? replay(&o) : run(&o);
	free(o.spec);
	free(o.cgroup);
	free(o.output);
	free(o.metrics);
	options_shared_free(&o.shared);
	return status;
}
