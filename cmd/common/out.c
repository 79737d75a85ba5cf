#include "out.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/outfile.h"
#include "base/text.h"
#include "message.h"
#include "status.h"
#include "base/outname.h"
#include "write.h"

/* Many can write to a device or a pipe. */
static int is_special(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

char *out_name(const char *option, const char *text)
{
	const char *const *env = (const char *const *)environ;
	char host[HOST_NAME_MAX + 1] = "", why[512];
	const struct outname_values values = {host, getpid(), env};

	gethostname(host, sizeof host - 1);
	char *name = outname_expand(text, &values, why, sizeof why);
	if (!name && errno == EINVAL)
		errx(EXIT_USAGE, "%s '%s': %s", option, text, why);
	if (!name)
		err(EXIT_TOOL, "cannot make the name of the file of %s '%s'", option,
		    text);
	const int64_t ranks = outname_ranks(text, env);
	if (ranks > 1 && !is_special(name))
		errx(EXIT_USAGE,
		     "%s '%s': %lld ranks would write this file; put %%r, the rank, into "
		     "its name",
		     option, text, (long long)ranks);
	return name;
}

const char *out_strerror(int error)
{
	switch (error) {
	case ECANCELED:
		return "its reader does not read, and a signal has ended the wait";
	case EWOULDBLOCK:
		return "another process is writing it";
	case EINVAL:
		return "it is a device or another special file, which cannot be replaced";
	case EEXIST:
		return "a file with this name exists and is a symbolic link, has two "
		       "links or is no regular file; remove it";
	default:
		return strerror(error);
	}
}

static int open_file(struct out *o, const char *path, unsigned flags)
{
	const int fd = outfile_open(path, flags);
	struct stat st;

	*o = (struct out){.fd = fd, .ours = 1, .name = path, .provisional = -1};
	if (fd == -1) {
		o->error = errno;
		return -1;
	}
	o->regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	o->complete = o->regular ? st.st_size : 0;
	return 0;
}

void out_note_no_lock(const char *path)
{
	message_notef("cannot lock '%s': %s; no other process may write it now, as "
		      "nothing would notice",
		      path, strerror(errno));
}

int out_open(struct out *o, const char *path, int fd, const char *name)
{
	if (path && open_file(o, path, 0) == -1) {
		warnx("cannot open '%s' for writing: %s", path, out_strerror(o->error));
		return -1;
	}
	if (!path)
		*o = (struct out){.fd = fd, .name = name, .provisional = -1};
	else if (o->regular && outfile_lock(o->fd) == 1)
		out_note_no_lock(path);
	return 0;
}

int out_open_derived(struct out *o, const char *path, int append)
{
	return open_file(o, path, OUTFILE_DERIVED | (append ? OUTFILE_APPEND : 0));
}

static int failed(const struct out *o)
{
	return o->error || (o->writing && o->lost);
}

/* A text that was written in part is removed. */
static void fail(struct out *o, int error)
{
	if (o->writing) {
		o->lost = error;
		return;
	}
	o->error = error;
	if (o->regular && ftruncate(o->fd, o->complete) == -1)
		warn("cannot remove the end of '%s', which is not complete", o->name);
}

/* Remove the provisional text: other text comes now. */
static void replace(struct out *o)
{
	if (o->provisional == -1 || o->writing || o->error)
		return;
	if (ftruncate(o->fd, o->provisional) == -1)
		o->error = errno;
	o->provisional = -1;
}

int out_write(void *out, const char *text, size_t n)
{
	struct out *o = out;

	replace(o);
	if (!failed(o) && !text)
		fail(o, ENOMEM);
	else if (!failed(o) && write_text(o->fd, text, n) == -1)
		fail(o, errno);
	else if (!failed(o) && !o->writing)
		o->complete += (off_t)n;
	errno = o->writing ? o->lost : o->error;
	return failed(o) ? -1 : 0;
}

void out_text(struct out *o, char *text)
{
	if (text)
		text_clean(text, "\n\t");
	out_write(o, text, text ? strlen(text) : 0);
	free(text);
}

int out_provisional_begin(struct out *o)
{
	if (!o->regular)
		return -1;
	replace(o);
	const off_t at = lseek(o->fd, 0, SEEK_CUR);
	if (o->error || at == -1)
		return -1;
	o->provisional = at;
	o->writing = 1;
	o->lost = 0;
	return 0;
}

void out_provisional_end(struct out *o)
{
	o->writing = 0;
	if (lseek(o->fd, o->provisional, SEEK_SET) == -1)
		o->error = errno;
	if (o->lost)
		replace(o);
}

void out_close(struct out *o)
{
	if (o->ours && close(o->fd) == -1 && !o->error)
		o->error = errno;
}

int out_finish(struct out *o)
{
	out_close(o);
	if (!o->error)
		return 0;
	warnx("cannot write to %s: %s", o->name, out_strerror(o->error));
	return -1;
}

static void on_write(int sig)
{
	(void)sig;
}

/*
 * exec resets a handler; a signal that was ignored would be ignored by the program too.
 */
static void catch_signal(int sig)
{
	const struct sigaction sa = {.sa_handler = on_write, .sa_flags = SA_RESTART};
	struct sigaction old;

	if (sigaction(sig, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
		sigaction(sig, &sa, NULL);
}

void out_prepare(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) == -1)
			open("/dev/null",
			     (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
	catch_signal(SIGPIPE);
	catch_signal(SIGXFSZ);
}

/* The errno of an earlier write is not known any more, so the stream is asked. */
int out_reader_gone(void)
{
	struct pollfd p = {.fd = STDOUT_FILENO, .events = POLLOUT};

	return poll(&p, 1, 0) == 1 && (p.revents & (POLLERR | POLLHUP));
}

int out_flush_stdout(void)
{
	if (fflush(stdout) != EOF && !ferror(stdout))
		return 0;
	const int e = errno;
	if (out_reader_gone())
		return 0;
	errno = e;
	warn("cannot write to standard output");
	return EXIT_TOOL;
}

int out_print(char *text)
{
	if (!text)
		err(EXIT_TOOL, "no memory available");
	text_clean(text, "\n\t");
	fputs(text, stdout);
	free(text);
	return out_flush_stdout();
}
