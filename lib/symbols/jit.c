#include "symbols/jit.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/procfs.h"

/* Read a hexadecimal number and the blank behind it. */
static int read_hex(const char **s, uint64_t *value)
{
	char *end;

	if (!isxdigit((unsigned char)**s))
		return -1;
	*value = strtoull(*s, &end, 16);
	if (*end != ' ')
		return -1;
	*s = end + 1;
	return 0;
}

int jit_add(struct jit *j, const char *line)
{
	struct jit_function f;
	uint64_t size;

	if (read_hex(&line, &f.start) || read_hex(&line, &size) || !*line ||
	    j->n >= RANGES_NONE)
		return 0;
	f.name = strings_copy(&j->strings, line, strcspn(line, "\n"));
	if (!f.name || array_grow(&j->list, j->n, sizeof(*j->list)))
		return -1;
	j->list[j->n] = f;
	j->n++;
	/* Memory is used again: the name that was written last counts. */
	return ranges_add(&j->ranges, f.start,
			  size < UINT64_MAX - f.start ? f.start + size : UINT64_MAX,
			  j->n - 1, j->n - 1);
}

int jit_finish(struct jit *j)
{
	return ranges_finish(&j->ranges);
}

/* Return the number that a process has in its own namespace, or pid. */
static long inner_pid(pid_t pid)
{
	long inner = pid, next;

	for (int i = 1; (next = procfs_status(pid, "NSpid:", i)) > 0; i++)
		inner = next;
	return inner;
}

/*
 * Open the file of a process. A live process has written it below its own root, by its
 * own number. *owner gets the user who may have written it.
 */
static int open_map(const char *root, pid_t pid, uid_t *owner)
{
	char proc[32];
	struct stat st;
	char *path;
	int fd;

	snprintf(proc, sizeof(proc), "/proc/%d", (int)pid);
	const int is_alive = !stat(proc, &st);

	*owner = is_alive ? st.st_uid : geteuid();
	if (asprintf(&path, "%s%s/tmp/perf-%ld.map", is_alive ? proc : root,
		     is_alive ? "/root" : "", is_alive ? inner_pid(pid) : (long)pid) < 0)
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	free(path);
	return fd;
}

static int read_lines(struct jit *j, FILE *f)
{
	char *line = NULL;
	size_t size = 0;
	int result = 0;

	while (!result && getline(&line, &size, f) > 0)
		result = jit_add(j, line);
	free(line);
	return result;
}

int jit_read(struct jit *j, const char *root, pid_t pid)
{
	uid_t owner;
	struct stat st;
	const int fd = open_map(root, pid, &owner);
	FILE *f = NULL;
	int result = 0;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) &&
	    (!st.st_uid || st.st_uid == owner))
		f = fdopen(fd, "r");
	if (f) {
		result = read_lines(j, f);
		fclose(f);
	} else if (fd >= 0) {
		close(fd);
	}
	return result ? -1 : jit_finish(j);
}

const struct jit_function *jit_find(const struct jit *j, uint64_t address)
{
	const uint32_t i = ranges_find(&j->ranges, address);

	return i == RANGES_NONE ? NULL : &j->list[i];
}

void jit_free(struct jit *j)
{
	free(j->list);
	ranges_free(&j->ranges);
	strings_free(&j->strings);
	*j = (struct jit){0};
}
