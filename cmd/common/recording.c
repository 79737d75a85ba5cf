#include "recording.h"

#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "status.h"

void recording_labels(struct labels *l, const struct options_shared *s)
{
	const char *list = getenv("CPC_LABEL");

	if (list && labels_add_list(l, list) == -1) {
		if (errno == ENOMEM)
			err(EXIT_TOOL, "cannot store the labels of CPC_LABEL");
		options_bad_long(
			s->command,
			"CPC_LABEL: '%s' is not a list of labels KEY=VALUE, with "
			"commas between them and KEYs of letters, digits and _",
			list);
	}
	if (labels_merge(l, &s->label) == -1)
		err(EXIT_TOOL, "cannot store the labels");
}

struct sink *recording_lines(const struct row_style *style, int title, struct out *out)
{
	const struct sink_output output = {out, out_write};
	struct sink *sink = sink_lines(style, title, output);

	if (!sink)
		err(EXIT_TOOL, "cannot prepare the rows");
	return sink;
}

void recording_open(struct recording *r, const struct options_shared *s, cpc_t *cpc,
		    struct sink *sink)
{
	*r = (struct recording){.sink = sink, .pid = getpid()};
	recording_labels(&r->labels, s);
	/*
	 * Only records have more than the name of the host: the files take time to read.
	 */
	if (record_host(&r->host,
			s->format == TEXT_JSON || s->series.save || s->records) == -1)
		err(EXIT_TOOL, "cannot store the name of the working directory");
	launcher_read(&r->launcher, (const char *const *)environ);
	snprintf(r->rank, sizeof r->rank, "%" PRId64, r->launcher.rank);
	r->run = (struct record_run){
		.row = {.id = r->id,
			.host = *r->host.name ? r->host.name : NULL,
			.rank = r->launcher.rank >= 0 ? r->rank : NULL},
		.tool = s->command->name,
		.version = VERSION,
		.argv = s->argv,
		.label = &r->labels,
		.host = &r->host,
		.launcher = &r->launcher,
	};
	if (cpc)
		record_run_engine(&r->run, cpc);
}

void recording_close(struct recording *r)
{
	if (r->sink)
		r->sink->free(r->sink);
	record_host_free(&r->host);
	labels_free(&r->labels);
}

void recording_identify(struct recording *r, int64_t ns, int64_t unix_ns)
{
	r->start = ns;
	r->run.row.unix_ns = unix_ns;
	record_run_id(r->id, sizeof r->id, r->run.row.host, r->pid, unix_ns);
}

int recording_begin(struct recording *r, int64_t ns, int64_t unix_ns)
{
	recording_identify(r, ns, unix_ns);
	if (r->file)
		r->file->begin(r->file, &r->run);
	return r->sink->begin(r->sink, &r->run);
}

int recording_add(struct recording *r, const struct row *row)
{
	return r->sink->row(r->sink, row);
}

int recording_flush(struct recording *r)
{
	return r->sink->flush(r->sink);
}

int recording_put(struct recording *r, const struct row *row)
{
	return recording_add(r, row) == -1 ? -1 : recording_flush(r);
}

void recording_ended(struct recording *r, int status, const struct child_use *use)
{
	r->has_ended = 1;
	r->status = status;
	r->has_use = use != NULL;
	if (use)
		r->use = (struct record_use){.user_ns = use->user_ns,
					     .system_ns = use->system_ns,
					     .peak_bytes = use->rss_kib * 1024};
}

void recording_complete(struct recording *r)
{
	if (r->start && r->sink->complete)
		r->sink->complete(r->sink);
}

void recording_end(struct recording *r, int status, int signal, uint64_t skipped)
{
	const struct record_end end = {.ns = r->end ? r->end : clock_ns() - r->start,
				       .status = status,
				       .signal = signal,
				       .skipped = skipped,
				       .has_ended = r->has_ended,
				       .command_signal = status_signal(r->status),
				       .command_status = WEXITSTATUS(r->status),
				       .use = r->has_use ? &r->use : NULL};

	if (r->start && r->file)
		r->file->end(r->file, &end);
	if (r->start)
		r->sink->end(r->sink, &end);
}

void recording_provisional(struct recording *r)
{
	if (r->start)
		r->sink->provisional(r->sink);
}

void recording_provisional_end(struct recording *r)
{
	const struct record_end end = {.ns = clock_ns() - r->start, .provisional = 1};

	if (r->start)
		r->sink->end(r->sink, &end);
}

void recording_forget_origin(struct recording *r)
{
	struct record_run *run = &r->run;

	r->pid = 0;
	run->argv = NULL;
	run->host = NULL;
	run->launcher = NULL;
	run->row.host = run->row.rank = NULL;
}

char *recording_join(char *const *words)
{
	size_t size = 1;

	for (unsigned i = 0; words[i]; i++)
		size += strlen(words[i]) + 1;
	char *text = malloc(size), *end = text;
	for (unsigned i = 0; text && words[i]; i++) {
		if (i)
			*end++ = ' ';
		end = stpcpy(end, words[i]);
	}
	if (text)
		*end = '\0';
	return text;
}
