/*
 * Reads any files as those of processes 1 and 2 (descriptors.h; the first line is a name
 * that is looked for in the program). Build with clang
 * -fsanitize=fuzzer,address,undefined and -Wl,--wrap=waitid,--wrap=syscall.
 */
#include "base/procfs.h"

#include <sys/wait.h>

#include "base/process.h"
#include "descriptors.h"
#include "irix/hwperf_proc.h"
#include "suite/named/image.h"

int __wrap_waitid(idtype_t type, id_t id, siginfo_t *info, int options);
long __wrap_syscall(long number, ...);

/* Process 1 is a child that has not been reaped. */
NOT_COVERED int __wrap_waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	(void)type, (void)id, (void)options;
	memset(info, 0, sizeof *info);
	return 0;
}

/* The kernel has no pidfd, so that a process is known by its time of birth. */
NOT_COVERED long __wrap_syscall(long number, ...)
{
	(void)number;
	errno = ENOSYS;
	return -1;
}

static const char *text_of(const char *path, size_t *size)
{
	const struct file *const f = files_find(path);

	if (f)
		*size = f->size;
	return f ? f->text : NULL;
}

/* The kernel's own line has the state after the last parenthesis of the text. */
static void check_state(void)
{
	size_t size;
	const char *const text = text_of("/proc/1/stat", &size);
	unsigned flags = 1;
	const char state = procfs_state(1, &flags);

	check(state && (state != '?' || flags == 0 || text), "no state without a file");
	check(state != ' ' && state != '\n', "a state is no blank");
	if (text && !memchr(text, ')', size))
		check(state == '?' && flags == 0, "no state without a command");
}

/* Two readers of the file stat agree, if the file has the form that the kernel writes. */
static void check_birth(void)
{
	enum { STARTTIME = 22 }; /* a field, proc(5) */
	struct process p;
	char buf[1024];
	char *const text = procfs_text(1, "stat", buf, sizeof buf);

	check(process_open(&p, 1) == 0 && p.fd == -1, "a child without a pidfd");
	const char *const state = hwperf_proc_state(text ? text : "");
	if (*state == '\0' || *state == ' ')
		check(p.born == hwperf_proc_stat(text ? text : "", STARTTIME),
		      "a process has one time of birth");
	hwperf_proc_line(text, "Tgid:");
	process_close(&p);
}

static void check_status(void)
{
	char buf[4096];
	const char *const text = procfs_text(1, "status", buf, sizeof buf);
	const long tgid = procfs_status(1, "Tgid:", 1);
	const pid_t origin = procfs_origin(1);

	if (!text || (strncmp(text, "Tgid:", 5) != 0 && !strstr(text, "\nTgid:")))
		check(tgid == -1, "no number without a line");
	check(origin == (pid_t)tgid || tgid == 1 || (pid_t)tgid == 1,
	      "the process of a thread");
	for (int field = 1; field < 5; field++)
		procfs_status(1, "Uid:", field);
}

/* The name is found, or refused with a message when all has been searched. */
static void check_name(struct image *image, char *symbol)
{
	const struct wanted w = {.event = "mem:", .symbol = symbol};
	struct found f = {0};
	const int rc = image_look(image, &w, &f, 1, 0);

	check(rc >= 0 && rc == (f.state != FOUND_NOT_YET),
	      "a state that changes is told");
	check(f.state != FOUND_NOT_YET || image_look(image, &w, &f, 1, 1) == 1,
	      "the last search finds the name or does not");
	check(f.state == FOUND || (f.state == FOUND_NOT && *f.why),
	      "a name that is not found has a reason");
	free(f.why);
}

static void check_auxv(char *symbol)
{
	size_t size;
	const char *const text = text_of("/proc/1/auxv", &size);
	struct image *const image = image_new(1);

	if (!image)
		return;
	const struct engine_place entry = image_entry(image);
	if (!text || size <= sizeof(uint64_t))
		check(entry.address == 0 && !image_has_loader(image),
		      "no address without a vector");
	check_name(image, symbol);
	image_free(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t n;

	files_open(data, size);
	check_state();
	check_birth();
	check_status();
	check_auxv(files.copy);
	const uint64_t ns = procfs_run_time(1);
	check(ns == 0 || text_of("/proc/1/schedstat", &n), "no time without a file");
	const int scope = procfs_yama();
	check(scope == -1 || text_of("/proc/sys/kernel/yama/ptrace_scope", &n),
	      "no scope without Yama");
	descriptors_close();
	return 0;
}
