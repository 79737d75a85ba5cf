#include "symbols/module.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/files.h"
#include "symbols/plt.h"
#include "symbols/vdso.h"
#include "symbols/xz.h"

struct module *module_new(const struct symbols_mapping *m)
{
	struct module *const new = calloc(1, sizeof(*new));

	if (!new)
		return NULL;
	new->path = strdup(m->path && *m->path ? m->path : "//anon");
	if (!new->path) {
		free(new);
		return NULL;
	}
	new->start = m->start;
	new->end = m->end;
	if (m->build_id && m->build_id_size <= BUILD_ID_MAX) {
		new->id.size = m->build_id_size;
		memcpy(new->id.bytes, m->build_id, m->build_id_size);
	}
	return new;
}

int module_has(const struct module *m, const struct symbols_mapping *mapping)
{
	const char *const path =
		mapping->path && *mapping->path ? mapping->path : "//anon";

	if (strcmp(m->path, path) != 0)
		return 0;
	return !mapping->build_id ||
	       (mapping->build_id_size == m->id.size &&
		!memcmp(mapping->build_id, m->id.bytes, m->id.size));
}

int module_is_file(const struct module *m)
{
	return m->path[0] == '/' && m->path[1] != '/';
}

static int same_id(const struct build_id *a, const struct build_id *b)
{
	return a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
}

/* Forget what was read of a file that is the wrong one. */
static void reset(struct module *m, const char *problem)
{
	elf_file_free(&m->file);
	table_free(&m->table);
	strings_free(&m->strings);
	m->problem = problem;
}

const char symbols_no_memory[] = "memory ran out";

/* Judge what was read. Returns 0 if it is what was mapped, else -1. */
static int accept_image(struct module *m, int result)
{
	if (result)
		reset(m, errno == ENOMEM ? symbols_no_memory
					 : "the file is not a well-formed ELF file");
	else if (m->id.size && !same_id(&m->id, &m->file.id))
		reset(m, "the build id of the file differs from that of the mapping");
	else
		m->problem = NULL;
	return m->problem ? -1 : 0;
}

/* Read the source lines and inlined functions of a file that has them. */
static void read_lines(struct module *m, const struct symbols_options *o, int fd)
{
	if (!o->lines || !o->lines(fd, &m->source))
		return;
	m->problem = errno == ENOMEM ? symbols_no_memory
				     : "the debug information is malformed";
	source_free(&m->source);
}

static struct files_query query(const struct module *m, const struct symbols_options *o)
{
	return (struct files_query){
		.root = o->root ? o->root : "",
		.pid = o->pid,
		.path = m->path,
		.start = m->start,
		.end = m->end,
		.id = m->id.size ? &m->id : &m->file.id,
		.debuglink = m->file.debuglink,
	};
}

/* Return the name of the i-th place for a file, or NULL. */
static char *next_name(struct module *m,
		       char *(*places)(const struct files_query *q, unsigned i),
		       const struct files_query *q, unsigned i)
{
	errno = 0;
	char *const name = places(q, i);

	if (!name && errno == ENOMEM)
		m->problem = symbols_no_memory;
	return name;
}

/* Read the mapped file from the first place where it is. Returns 0, or -1. */
static int read_image(struct module *m, const struct symbols_options *o)
{
	const struct files_query q = query(m, o);
	char *name;

	m->problem = files_is_deleted(m->path) ? "the file was deleted"
					       : "the file cannot be opened";
	for (unsigned i = 0; (name = next_name(m, files_image, &q, i)); i++) {
		const int fd = *name ? files_open(name) : -1;
		int result = -1;

		free(name);
		if (fd < 0)
			continue;
		result = accept_image(
			m, elf_file_read(fd, &m->file, &m->table, &m->strings));
		if (!result && m->file.has_dwarf)
			read_lines(m, o, fd);
		close(fd);
		if (!result)
			return 0;
	}
	return -1;
}

/* Return 1 if a file has the debug information of the module. */
static int is_debug_file(const struct module *m, const struct elf_file *debug, int fd)
{
	uint32_t crc;

	if (m->file.id.size)
		return same_id(&m->file.id, &debug->id);
	return m->file.debuglink && !files_crc(fd, &crc) && crc == m->file.debuglink_crc;
}

/* Add the symbols and lines of a file of debug information. Returns 0, or -1. */
static int read_debug_file(struct module *m, const struct symbols_options *o, int fd)
{
	const size_t before = m->table.n;
	struct elf_file debug = {0};
	int result = elf_file_read(fd, &debug, &m->table, &m->strings);

	if (result && errno == ENOMEM)
		m->problem = symbols_no_memory;
	if (result || !is_debug_file(m, &debug, fd)) {
		m->table.n = before;
		result = -1;
	} else if (!m->file.has_dwarf && debug.has_dwarf) {
		read_lines(m, o, fd);
	}
	elf_file_free(&debug);
	return result;
}

/*
 * May a file exist that could not be opened for this reason? Any file may be in a folder
 * that may not be searched, which proves nothing.
 */
static int may_exist(int error)
{
	return error != ENOENT && error != ENOTDIR && error != EACCES;
}

static void read_debug(struct module *m, const struct symbols_options *o)
{
	const struct files_query q = query(m, o);
	char *name;
	int found = 0, unopened = 0;

	if (m->file.has_symtab && (m->file.has_dwarf || !o->lines))
		return;
	for (unsigned i = 0; !found && (name = next_name(m, files_debug, &q, i)); i++) {
		const int fd = *name ? files_open(name) : -1;

		if (*name && fd < 0 && may_exist(errno))
			unopened = errno;
		free(name);
		if (fd < 0)
			continue;
		found = !read_debug_file(m, o, fd);
		close(fd);
	}
	if (!found && unopened)
		m->problem = unopened == ENOMEM
				     ? symbols_no_memory
				     : "a file of its debug information cannot be opened";
}

/* Add the symbols of .gnu_debugdata (MiniDebugInfo). */
static void read_debugdata(struct module *m)
{
	const size_t before = m->table.n;
	struct elf_file inner = {0};
	size_t size;
	uint8_t *bytes;

	if (!m->file.debugdata || m->file.has_symtab)
		return;
	bytes = xz_expand(m->file.debugdata, m->file.debugdata_size, &size);
	if (!bytes || elf_file_read_memory(bytes, size, &inner, &m->table, &m->strings)) {
		m->problem = errno == ENOMEM ? symbols_no_memory
					     : "its section .gnu_debugdata is malformed";
		m->table.n = before;
	}
	elf_file_free(&inner);
	free(bytes);
}

static void read_file(struct module *m, const struct symbols_options *o)
{
	if (read_image(m, o))
		return;
	read_debug(m, o);
	read_debugdata(m);
	if (plt_add(&m->file, &m->table, &m->strings))
		m->problem = symbols_no_memory;
}

/* The vDSO has no file; that of another process may be another one. */
static void read_vdso(struct module *m, const struct symbols_options *o)
{
	size_t size;
	uint8_t *const bytes = vdso_read(o->pid, m->start, m->end, &size);

	m->problem = "it cannot be read from the process, and its build id is not known";
	if (bytes && (o->pid || m->id.size))
		accept_image(m, elf_file_read_memory(bytes, size, &m->file, &m->table,
						     &m->strings));
	free(bytes);
}

void module_load(struct module *m, const struct symbols_options *o)
{
	if (m->is_loaded)
		return;
	m->is_loaded = 1;
	if (module_is_file(m))
		read_file(m, o);
	else if (!strcmp(m->path, "[vdso]"))
		read_vdso(m, o);
	if (table_finish(&m->table)) {
		table_free(&m->table);
		m->problem = symbols_no_memory;
	}
}

void module_free(struct module *m)
{
	if (!m)
		return;
	free(m->path);
	elf_file_free(&m->file);
	table_free(&m->table);
	strings_free(&m->strings);
	source_free(&m->source);
	free(m);
}
