#include "files.h"

#include <err.h>
#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

/* The tree has the ids themselves instead of addresses. */
static int compare(const void *a, const void *b)
{
	const intptr_t x = (intptr_t)a, y = (intptr_t)b;

	return (x > y) - (x < y);
}

/* Is this the first report of a thread with this id? */
static int is_first(struct files *f, pid_t tid)
{
	const void *key = (const void *)(intptr_t)tid;

	if (tfind(key, &f->written, compare))
		return 0;
	tsearch(key, &f->written, compare);
	return 1;
}

/* The other reports are still written; one message is enough. */
static void unwritten(struct files *f, const char *path, int error)
{
	if (!f->unwritten)
		warnx("cannot write to '%s': %s", path, out_strerror(error));
	f->unwritten = 1;
}

/*
 * Write to the file of a thread, FILE.ID for -o FILE. If an earlier thread had the same
 * id, its report stays in the file.
 */
static void put_in_file(struct files *f, int64_t ns, pid_t pid, pid_t tid)
{
	const int first = is_first(f, tid);
	struct run *r = f->run;
	const struct sink_output all = r->output;
	struct out own;
	char *path;

	if (asprintf(&path, "%s.%d", r->o->output, (int)tid) == -1) {
		unwritten(f, r->o->output, ENOMEM);
		return;
	}
	if (out_open_derived(&own, path, !first) == 0) {
		r->output = (struct sink_output){&own, out_write};
		if (first)
			out_text(&own, report_thread_title(r->o));
		run_report(r, IRIX_THREAD, ns, pid, tid);
		r->output = all;
		out_close(&own);
	}
	if (own.error)
		unwritten(f, path, own.error);
	free(path);
}

/*
 * Returns whether a name, such as /dev/stdout, stands for an open file, whose real name
 * and folder are others.
 */
static int is_descriptor(const char *name)
{
	static const char *const of[] = {"/dev/stdout", "/dev/stderr", "/dev/fd/",
					 "/proc/"};

	for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
		if (strncmp(name, of[i], strlen(of[i])) == 0)
			return 1;
	return 0;
}

void files_put(struct files *f, int64_t ns, pid_t pid, pid_t tid)
{
	if (f->run->out->regular && !is_descriptor(f->run->o->output))
		put_in_file(f, ns, pid, tid);
	else
		run_report(f->run, IRIX_THREAD, ns, pid, tid);
}

static void free_nothing(void *id)
{
	(void)id;
}

void files_free(struct files *f)
{
	tdestroy(f->written, free_nothing);
	f->written = NULL;
}
