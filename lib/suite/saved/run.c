#include "suite/saved/run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
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

static void fill_cgroups(struct saved_run *r)
{
	const struct saved_node *paths = saved_member(r->record, "cgroups");

	r->has_cgroups = saved_is(paths, NODE_ARRAY);
	for (const struct saved_node *v = saved_first(paths); v;
	     v = saved_next(paths, v)) {
		const char *path = saved_string(v);
		const size_t width = path ? text_width(path) : 0;

		if (r->cgroup_width < width)
			r->cgroup_width = (unsigned)width;
	}
}

int saved_run_read(struct saved_run *r, const struct saved_node *all)
{
	uint64_t v;

	*r = (struct saved_run){.record = saved_copy(all)};
	if (!r->record)
		return -1;
	const struct saved_node *record = r->record;
	fill_row(r);
	fill_cgroups(r);
	r->run.tool = saved_text(record, "tool");
	r->run.version = saved_text(record, "version");
	r->run.command = saved_text(record, "command");
	r->run.engine = saved_text(record, "engine");
	r->run.model = saved_text(record, "model");
	r->run.reproducible = saved_text(record, "reproducible");
	r->cpu_model = saved_text(record, "cpu_model");
	if (saved_number(record, "interval_ns", INT64_MAX, &v) == 0)
		r->run.interval_ns = (int64_t)v;
	if (!r->run.row.id || !r->run.tool || !r->run.engine) {
		errno = EINVAL;
		return -1;
	}
	const int rc = saved_sets_read(&r->sets, record);
	r->run.nsets = r->sets.n;
	r->run.set = r->sets.each;
	/* The sets take turns, whose length is a number, too. */
	if (rc == 0 && r->run.nsets && r->run.interval_ns > INT64_MAX / r->run.nsets) {
		errno = EINVAL;
		return -1;
	}
	return rc;
}

int saved_run_guess(struct saved_run *r, const struct saved_node *row)
{
	*r = (struct saved_run){.record = saved_copy(row)};
	if (!r->record)
		return -1;
	r->run.row.id = saved_text(r->record, "run");
	const int rc = saved_sets_add(&r->sets, saved_member(r->record, "values"), NULL);
	r->run.nsets = r->sets.n;
	r->run.set = r->sets.each;
	return rc;
}

static int64_t number_of(const struct saved_node *o, const char *key, int64_t otherwise)
{
	uint64_t v;

	return saved_number(o, key, INT64_MAX, &v) == 0 ? (int64_t)v : otherwise;
}

/*
 * A command that a signal ended has no status, but the signal. Files of earlier versions
 * lack the signal; there such a command has at least used time.
 */
static int signal_of(const struct record_end *end, const struct saved_node *record)
{
	if (saved_member(record, "command_signal"))
		return (int)(number_of(record, "command_signal", 0) & 0xff);
	return end->use ? end->signal : 0;
}

void saved_run_end(struct record_end *end, struct record_use *use,
		   const struct saved_node *record)
{
	*end = (struct record_end){
		.ns = number_of(record, "time_ns", 0),
		.status = (int)(number_of(record, "status", 0) & 0xff),
		.signal = (int)(number_of(record, "signal", 0) & 0xff),
		.skipped = (uint64_t)number_of(record, "skipped", 0),
		.command_status = (int)(number_of(record, "command_status", 0) & 0xff)};
	*use = (struct record_use){.user_ns = number_of(record, "user_ns", -1),
				   .system_ns = number_of(record, "system_ns", 0),
				   .peak_bytes = number_of(record, "peak_rss_bytes", 0)};
	if (use->user_ns >= 0)
		end->use = use;
	end->has_ended = number_of(record, "command_status", -1) >= 0;
	if (!end->has_ended)
		end->command_signal = signal_of(end, record);
	end->has_ended |= end->command_signal > 0;
}

void saved_run_free(struct saved_run *r)
{
	saved_sets_free(&r->sets);
	free(r->record);
	*r = (struct saved_run){.record = NULL};
}
