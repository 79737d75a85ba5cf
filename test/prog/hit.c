#include "hit.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Neither inlined nor cloned: every call executes this address. */
__attribute__((noinline)) void hit(void)
{
	__asm__ volatile("" ::: "memory");
}

static void (*hit_at)(void) = hit;

/* Make a function that returns at the page that $HIT_AT names. */
static void __attribute__((constructor)) place(void)
{
#if defined(__x86_64__)
	static const unsigned char code[] = {0xc3}; /* ret */
#elif defined(__aarch64__)
	static const unsigned char code[] = {0xc0, 0x03, 0x5f, 0xd6}; /* ret */
#endif
	const char *text = getenv("HIT_AT");
	void *want = text ? (void *)strtoul(text, NULL, 0) : NULL;

	if (!want)
		return;
	char *page = mmap(want, 4096, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (page != want)
		err(1, "HIT_AT=%s", text);
	memcpy(page, code, sizeof(code));
	__builtin___clear_cache(page, page + sizeof(code));
	if (mprotect(page, 4096, PROT_READ | PROT_EXEC))
		err(1, "mprotect");
	hit_at = (void (*)(void))want;
}

void hit_print_address(void)
{
	printf("%#lx\n", (unsigned long)hit_at);
}

void hits(unsigned n)
{
	while (n--)
		hit_at();
}

/*
 * One write(2) to a file opened with O_APPEND keeps the lines of threads and processes
 * apart. The file is open only for the write, so the program has no extra descriptor.
 */
static void report(unsigned n, const char *end)
{
	const char *path = getenv("ORACLE");
	if (!path || !*path)
		return;
	char line[64];
	const int len = snprintf(line, sizeof(line), "%d %ld %u%s\n", (int)getpid(),
				 syscall(SYS_gettid), n, end);
	int fd;
	/* If the limit is low, the other threads use all descriptors for a moment. */
	while ((fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666)) < 0 &&
	       errno == EMFILE)
		sched_yield();
	if (fd < 0 || write(fd, line, len) != len)
		err(1, "%s", path);
	close(fd);
}

void hit_report(unsigned n)
{
	report(n, "");
}

void hit_and_report(unsigned n)
{
	hits(n);
	hit_report(n);
}

void hit_and_report_early(unsigned n)
{
	hits(n);
	report(n, " early");
}
