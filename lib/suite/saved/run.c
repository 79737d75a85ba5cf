#include "suite/saved/run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include <jansson.h>

#include "suite/saved/lines.h"

static void fill_row(struct saved_run *r)
{
	struct row_run *row = &r->run.row;
	uint64_t v;

	row->id = saved_text(r->record, "run");
	row->host = saved_text(r->record, "host");
	if (saved_number(r->record, "start_unix_ns", INT64_MAX, &v) == 0)
		row->unix_ns = (int64_t)v;
	if (saved_number(r->record, "rank", UINT32_MAX, &v) == -1)
		return;
	snprintf(r->rank, sizeof r->rank, "%" PRIu64, v);
	row->rank = r->rank;
}

int saved_run_read(struct saved_run *r, json_t *record)
{
	uint64_t v;

	*r = (struct saved_run){.record = json_incref(record)};
	fill_row(r);
	r->run.tool = saved_text(record, "tool");
	r->run.version = saved_text(record, "version");
	r->run.command = saved_text(record, "command");
	r->run.engine = saved_text(record, "engine");
	r->run.model = saved_text(record, "model");
	r->run.reproducible = saved_text(record, "reproducible");
	r->cpu_model = saved_text(record, "cpu_model");
	if (saved_number(record, "interval_ns", INT64_MAX, &v) == 0)
		r->run.interval_ns = (int64_t)v;
	if (r->run.row.id && r->run.tool && r->run.engine)
		return 0;
	errno = EINVAL;
	return -1;
}

void saved_run_free(struct saved_run *r)
{
	json_decref(r->record);
	*r = (struct saved_run){.record = NULL};
}
