/*
 * Allocations that fail: linked into a command with --wrap, so that allocation number
 * $NOMEM, from 1, returns NULL with ENOMEM; all from that number on do if $NOMEM ends
 * with +. $NOMEM_HIT names a file that is made when this happens: a test that finds no
 * such file has failed each allocation of the command.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_reallocarray(void *p, size_t n, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_reallocarray(void *p, size_t n, size_t size);

/* The start of libc does not survive a failure; it is over when main() is called. */
static int started;

int __wrap_main(int argc, char **argv)
{
	started = 1;
	return __real_main(argc, argv);
}

static int fails(void)
{
	static long done;
	const char *number = getenv("NOMEM"), *hit = getenv("NOMEM_HIT");
	char *end;

	if (!started || !number || !hit)
		return 0;
	const long first = strtol(number, &end, 10);
	const long n = __atomic_add_fetch(&done, 1, __ATOMIC_RELAXED);
	if (n < first || (n > first && *end != '+'))
		return 0;
	const int fd = open(hit, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
	if (fd >= 0)
		close(fd);
	errno = ENOMEM;
	return 1;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	return fails() ? NULL : __real_realloc(p, size);
}

void *__wrap_reallocarray(void *p, size_t n, size_t size)
{
	return fails() ? NULL : __real_reallocarray(p, n, size);
}
