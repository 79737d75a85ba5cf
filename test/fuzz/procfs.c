/*
 * Reads any files as those of processes 1 and 2 (files.h; the first line is not used).
 * Build with clang -fsanitize=fuzzer,address,undefined.
 */
#include "base/procfs.h"

#include "files.h"
#include "suite/named/image.h"

static const char *text_of(const char *path, size_t *size)
{
	for (unsigned i = 0; i < files.n; i++)
		if (strcmp(files.file[i].path, path) == 0) {
			*size = files.file[i].size;
			return files.file[i].text;
		}
	return NULL;
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

static void check_auxv(void)
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
	image_free(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t n;

	files_open(data, size);
	check_state();
	check_status();
	check_auxv();
	const uint64_t ns = procfs_run_time(1);
	check(ns == 0 || text_of("/proc/1/schedstat", &n), "no time without a file");
	const int scope = procfs_yama();
	check(scope == -1 || text_of("/proc/sys/kernel/yama/ptrace_scope", &n),
	      "no scope without Yama");
	files_close();
	return 0;
}
