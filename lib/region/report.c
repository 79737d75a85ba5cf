#include "region/report.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/outname.h"
#include "cpc/session.h"
#include "region/format.h"

static const char fn_report[] = "cpc_region_end";

/* Another process may have made the file non-blocking: wait as if it were not. */
static int try_again(int fd)
{
	if (errno == EAGAIN)
		poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
	return errno == EAGAIN || errno == EINTR;
}

/*
 * Write all bytes. A reader that has gone away must not end the process by SIGPIPE, which
 * would change its exit status.
 */
static int write_all(int fd, const char *s, size_t n)
{
	sigset_t pipe, before;
	ssize_t done = 0;

	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe, &before);
	while (n > 0 && (done >= 0 || try_again(fd))) {
		done = write(fd, s, n);
		if (done > 0) {
			s += done;
			n -= (size_t)done;
		}
	}
	const int e = errno;
	if (n > 0 && e == EPIPE)
		sigtimedwait(&pipe, NULL, &(struct timespec){0});
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = e;
	return n > 0 ? -1 : 0;
}

/* Append to a file, which other processes may also write, one after the other. */
static int append(const char *path, const struct textbuf *b)
{
	const int fd =
		open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
	int rc = -1;

	if (fd == -1)
		return -1;
	/* A file system without locks does not keep the results of one process apart. */
	flock(fd, LOCK_EX);
	rc = write_all(fd, b->s, b->len);
	const int e = errno;
	if (close(fd) == -1 && rc == 0)
		return -1;
	errno = e;
	return rc;
}

/* Returns 0 if the report is in the file that the user wants. */
static int write_file(const struct region_results *r, const struct region_process *p,
		      const struct textbuf *b)
{
	const struct outname_values values = {p->host, p->pid,
					      (const char *const *)environ};
	char err[256];
	char *path = outname_expand(r->settings->file, &values, err, sizeof err);

	if (!path) {
		cpc_report(r->events->cpc, fn_report, CPC_REFUSED,
			   "CPC_REGIONS_FILE: %s; the regions are written to stderr",
			   *err ? err : strerror(ENOMEM));
		return -1;
	}
	const int rc = append(path, b);
	if (rc == -1)
		cpc_report(r->events->cpc, fn_report, CPC_REFUSED,
			   "cannot write the regions to %s: %s; they are written to "
			   "stderr",
			   path, strerror(errno));
	free(path);
	return rc;
}

static void write_report(const struct region_results *r, const struct region_process *p)
{
	struct textbuf b = {0};

	(r->settings->json ? region_format_json : region_format_table)(&b, p);
	if (b.failed)
		cpc_report(r->events->cpc, fn_report, CPC_REFUSED,
			   "no memory is left to write the regions");
	else if (!r->settings->file || write_file(r, p, &b) == -1)
		write_all(STDERR_FILENO, b.s, b.len);
	free(b.s);
}

static void free_all(struct region_summary **summary, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		free(summary[i]);
	free(summary);
}

/* Returns the summaries of all regions that were called; *n is their number. */
static struct region_summary **sum_up(const struct region_results *r, unsigned *n)
{
	const struct region_names *names = &r->events->names;
	struct region_summary **all =
		calloc(names->n + 1, sizeof(struct region_summary *));

	*n = 0;
	for (unsigned i = 0; all && i < names->n; i++) {
		struct region_summary *s =
			region_summary_new(r->events, r->threads, names->name[i]);

		if (!s) {
			free_all(all, *n);
			return NULL;
		}
		if (s->calls + s->open)
			all[(*n)++] = s;
		else
			free(s);
	}
	return all;
}

void region_report(const struct region_results *r, int provisional)
{
	const int e = errno;
	char host[HOST_NAME_MAX + 1] = "";
	unsigned n;
	struct region_summary **summary = sum_up(r, &n);

	if (!summary)
		cpc_report(r->events->cpc, fn_report, CPC_REFUSED,
			   "no memory is left to write the regions");
	gethostname(host, sizeof host - 1);
	const struct region_process p = {
		.command = program_invocation_short_name,
		.host = host,
		.pid = getpid(),
		.unix_ns = clock_unix_ns(),
		.provisional = provisional,
		.failed = r->failed,
		.events = r->events,
		.n = n,
		.summary = summary,
	};
	if (n > 0)
		write_report(r, &p);
	if (summary)
		free_all(summary, n);
	errno = e;
}
