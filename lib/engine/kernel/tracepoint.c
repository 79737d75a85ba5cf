#include "engine/kernel/tracepoint.h"

#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/nearest.h"
#include "engine/why.h"

enum { NAME_SIZE = 128, PATH_SIZE = 1024, SHORTEST = 3 };

/*
 * Where tracefs is mounted (Documentation/trace/ftrace.rst); older kernels use debugfs.
 */
static const char *const folders[] = {"sys/kernel/tracing", "sys/kernel/debug/tracing"};

/* The parts of a name. */
struct tracepoint {
	char group[NAME_SIZE], name[NAME_SIZE];
	int plain; /* no part has capitals, and the second is too long for modifiers */
};

static int is_word(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)s[i]) && !strchr("_-.", s[i]))
			return 0;
	return len > 0 && len < NAME_SIZE && s[0] != '.' && s[0] != '-';
}

static int parse(const char *text, struct tracepoint *p)
{
	const size_t len = strcspn(text, ":");
	const char *name = text + len + 1;

	if (!text[len] || !is_word(text, len) || !is_word(name, strlen(name)))
		return 0;
	memcpy(p->group, text, len);
	p->group[len] = '\0';
	strcpy(p->name, name);
	p->plain = strlen(name) >= SHORTEST && isalpha((unsigned char)*text);
	for (const char *c = text; *c; c++)
		p->plain &= !isupper((unsigned char)*c);
	return 1;
}

/* Write ROOT/FOLDER/events/GROUP/NAME/FILE; group, name and file may be "". */
static void path_of(char *path, size_t size, const char *root, const char *folder,
		    const char *group, const char *name, const char *file)
{
	snprintf(path, size, "%s/%s/events/%s/%s/%s", root, folder, group, name, file);
}

/*
 * Returns the folder where tracefs is mounted, or NULL with ENOENT if it is not mounted,
 * or with errno of access(2), such as EACCES.
 */
static const char *find_tracefs(const char *root)
{
	char path[PATH_SIZE];
	int err = ENOENT;

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		path_of(path, sizeof(path), root, folders[i], "", "", "");
		if (access(path, R_OK | X_OK) == 0)
			return folders[i];
		if (errno != ENOENT)
			err = errno;
	}
	errno = err;
	return NULL;
}

static int has(const char *root, const char *folder, const char *group, const char *name)
{
	char path[PATH_SIZE];

	path_of(path, sizeof(path), root, folder, group, name, "");
	return access(path, F_OK) == 0;
}

/*
 * If tracefs cannot be read or has no such group, only the spelling distinguishes a
 * tracepoint from an event of some processor.
 */
enum trace_found kernel_tracepoint_find(const char *root, const char *name)
{
	const int err = errno;
	struct tracepoint p;

	if (!parse(name, &p))
		return TRACE_NONE;
	const char *folder = find_tracefs(root);
	const int group = folder && has(root, folder, p.group, "");
	errno = err;
	return group ? TRACE_GROUP : p.plain ? TRACE_POSSIBLE : TRACE_NONE;
}

#define UNMOUNTED "tracefs is not mounted; as root, run 'mount -t tracefs nodev /%s'"

/* Returns 1 if the kernel has the folder where tracefs is mounted. */
static int has_tracefs(const char *root)
{
	char path[PATH_SIZE];

	snprintf(path, sizeof(path), "%s/%s", root, folders[0]);
	return access(path, F_OK) == 0;
}

static int refuse_unreadable(const char *root, const char *name, struct why *why)
{
	const int err = errno;

	if (err != ENOENT)
		return why_refuse(why, err,
				  "%s: no event of this processor; if it is a "
				  "tracepoint: this user may not read /%s (%s); run as "
				  "root",
				  name, folders[0], strerror(err));
	if (!has_tracefs(root))
		return why_refuse(why, ENOENT,
				  "%s: no event of this processor, and this kernel "
				  "shows no tracepoints (/%s does not exist)",
				  name, folders[0]);
	return why_refuse(
		why, ENOENT,
		"%s: no event of this processor; if it is a tracepoint: " UNMOUNTED, name,
		folders[0]);
}

/* Write "; did you mean 'A'?" with the entries of a folder that are like name, or "". */
static void suggest(const char *path, const char *name, char *buf, size_t size)
{
	struct dirent **d = NULL;
	struct nearest near;
	const int n = file_list(path, &d);

	nearest_init(&near, name);
	for (int i = 0; i < n; i++)
		if (d[i]->d_type != DT_REG)
			nearest_add(&near, d[i]->d_name);
	snprintf(buf, size, "; ");
	nearest_text(&near, buf + 2, (unsigned)size - 2);
	if (!buf[2])
		buf[0] = '\0';
	file_list_free(d, n);
}

static int refuse_missing(const char *root, const char *folder,
			  const struct tracepoint *p, struct why *why)
{
	char path[PATH_SIZE], near[3 * NAME_SIZE];
	const int group = has(root, folder, p->group, "");

	path_of(path, sizeof(path), root, folder, group ? p->group : "", "", "");
	suggest(path, group ? p->name : p->group, near, sizeof(near));
	if (group)
		return why_refuse(why, ENOENT,
				  "%s:%s: the kernel has no tracepoint '%s' in group "
				  "'%s'%s",
				  p->group, p->name, p->name, p->group, near);
	return why_refuse(why, ENOENT,
			  "%s:%s: no event of this processor, and the kernel has no "
			  "tracepoints of group '%s'%s",
			  p->group, p->name, p->group, near);
}

/* Returns the kernel's id of a tracepoint, or -1 with errno of file_read() or EIO. */
static long long read_id(const char *root, const char *folder, const struct tracepoint *p)
{
	char path[PATH_SIZE], text[32], *end;

	path_of(path, sizeof(path), root, folder, p->group, p->name, "id");
	if (file_read(text, sizeof(text), "%s", path) < 0)
		return -1;
	const long long id = strtoll(text, &end, 10);
	if (end != text && id >= 0)
		return id;
	errno = EIO;
	return -1;
}

int kernel_tracepoint_encode(const char *root, const char *name, struct kernel_event *ev,
			     struct why *why)
{
	struct tracepoint p;

	if (!parse(name, &p))
		return why_refuse(why, EINVAL, "%s: the form must be GROUP:NAME", name);
	const char *folder = find_tracefs(root);
	if (!folder)
		return refuse_unreadable(root, name, why);
	if (!has(root, folder, p.group, p.name))
		return refuse_missing(root, folder, &p, why);
	const long long id = read_id(root, folder, &p);
	if (id == -1)
		return why_refuse(
			why, errno,
			errno == ENOENT ? "%s: the kernel cannot count this tracepoint, "
					  "which has no id"
					: "%s: cannot read the id of this tracepoint: "
					  "%s",
			name, strerror(errno));
	*ev = (struct kernel_event){.type = PERF_TYPE_TRACEPOINT,
				    .config = {(uint64_t)id}};
	return 0;
}

static void walk_group(const char *root, const char *folder, const char *group,
		       const struct engine_walk *w)
{
	struct dirent **d = NULL;
	char path[PATH_SIZE], name[4 * NAME_SIZE];
	struct tracepoint p;

	path_of(path, sizeof(path), root, folder, group, "", "");
	const int n = file_list(path, &d);
	for (int i = 0; i < n; i++) {
		if (d[i]->d_type == DT_REG)
			continue;
		path_of(path, sizeof(path), root, folder, group, d[i]->d_name, "id");
		if (access(path, R_OK) == 0 &&
		    snprintf(name, sizeof(name), "%s:%s", group, d[i]->d_name) <
			    (int)sizeof(name) &&
		    parse(name, &p))
			w->name(w->arg, name, NULL);
	}
	file_list_free(d, n);
}

/* Report why tracefs cannot be read, for errno; a kernel without tracefs has no names. */
static void report_unread(const char *root, const struct engine_walk *w)
{
	const int err = errno;
	char text[256];

	if (!w->unread || (err == ENOENT && !has_tracefs(root)))
		return;
	if (err == ENOENT)
		snprintf(text, sizeof(text), "tracepoints are not listed: " UNMOUNTED,
			 folders[0]);
	else
		snprintf(text, sizeof(text),
			 "tracepoints are not listed: this user may not read /%s (%s); "
			 "run as root",
			 folders[0], strerror(err));
	w->unread(w->arg, text);
}

void kernel_tracepoint_walk(const char *root, const struct engine_walk *w)
{
	const int err = errno;
	const char *folder = find_tracefs(root);
	struct dirent **d = NULL;
	char path[PATH_SIZE];
	int n = 0;

	if (folder) {
		path_of(path, sizeof(path), root, folder, "", "", "");
		n = file_list(path, &d);
	} else {
		report_unread(root, w);
	}
	for (int i = 0; i < n; i++)
		if (d[i]->d_type != DT_REG)
			walk_group(root, folder, d[i]->d_name, w);
	file_list_free(d, n);
	errno = err;
}
