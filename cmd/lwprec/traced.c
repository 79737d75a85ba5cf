#include "traced.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/outfile.h"
#include "common/forward.h"
#include "common/message.h"
#include "common/status.h"

static int start_program(struct traced *t)
{
	char *const *argv = t->record->argv;

	message_watch();
	forward_block();
	t->pctx = pctx_create(argv[0], argv, NULL, 0, message_pctx);
	if (t->pctx) {
		t->root = pctx_pid(t->pctx);
		forward_begin(t->pctx, t->root);
		return 0;
	}
	const int e = errno;
	if (!message_came())
		warn("cannot start program '%s'", argv[0]);
	return e == EPERM ? EXIT_TOOL : status_of_exec(e);
}

int traced_start(struct traced *t)
{
	const int status = start_program(t);

	if (status)
		return status;
	t->first = outfile_open(t->record->file, 0);
	if (t->first != -1)
		return 0;
	warn("cannot write %s", t->record->file);
	traced_end(t);
	return EXIT_TOOL;
}

int traced_fail(struct traced *t)
{
	warn("cannot record pid %d", (int)t->root);
	traced_end(t);
	return EXIT_TOOL;
}

static int no_provisional(void *arg)
{
	(void)arg;
	return 0;
}

int traced_run(struct traced *t, uint_t msec, int (*tick)(pctx_t *, pid_t, id_t, void *))
{
	const int result = forward_run(t->pctx, msec, 0, tick, no_provisional, NULL);

	if (result == -1 && forward_stopped())
		return t->ended ? status_of_wait(t->status) : 128 + forward_stopped();
	if (result == -1) {
		warn("cannot record pid %d to its end", (int)t->root);
		return EXIT_TOOL;
	}
	return status_of_wait(t->status);
}

void traced_ended(struct traced *t, pid_t pid, int status)
{
	if (pid != t->root)
		return;
	t->ended = 1;
	t->status = status;
	forward_program_ended();
}

void traced_end(struct traced *t)
{
	const int released = t->ended && !forward_stopped();

	forward_end();
	if (released)
		pctx_release(t->pctx);
	else
		pctx_kill(t->pctx);
}

int traced_is_first(const struct traced *t, pid_t pid, unsigned n)
{
	return pid == t->root && n == 0;
}

struct traced_file traced_open(struct traced *t, pid_t pid, unsigned n)
{
	struct traced_file f = {.name = record_name(t->record->file, pid, n)};

	if (traced_is_first(t, pid, n)) {
		f.fd = t->first;
		t->first = -1;
	} else {
		f.fd = outfile_open(f.name, OUTFILE_DERIVED);
	}
	return f;
}

void traced_close(struct traced *t, struct traced_file *f, int written,
		  const char *incomplete)
{
	int e = written == -1 ? errno : 0;

	if (f->fd != -1 && close(f->fd) == -1 && !e)
		e = errno;
	if (e) {
		errno = e;
		warn("cannot write %s", f->name);
	} else if (incomplete) {
		warnx("%s lacks %s, because memory ran out", f->name, incomplete);
	}
	t->failed |= e || incomplete;
	t->nfiles++;
	free(f->name);
}

void traced_note_files(const struct traced *t)
{
	if (t->nfiles > 1)
		message_notef("%u recordings: %s, and %s.PID.N of other processes and "
			      "later programs",
			      t->nfiles, t->record->file, t->record->file);
}
