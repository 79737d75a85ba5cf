#include "symbols/module.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Open a regular file. */
static int open_file(const char *root, const char *path)
{
	char *name;
	struct stat st;
	int fd;

	if (asprintf(&name, "%s%s", root, path) < 0)
		return -1;
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	free(name);
	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode))) {
		close(fd);
		errno = ENOENT;
		return -1;
	}
	return fd;
}

/* Read the symbols of a file if it is the one that was mapped. Returns 0 or -1. */
static int read_file(struct module *m, int fd)
{
	if (elf_file_read(fd, &m->file, &m->table, &m->strings)) {
		m->problem = errno == ENOMEM ? "memory ran out"
					     : "the file is not a well-formed ELF file";
		return -1;
	}
	if (m->id.size && !same_id(&m->id, &m->file.id)) {
		m->problem = "the build id of the file differs from that of the "
			     "program that ran";
		return -1;
	}
	m->problem = NULL;
	return 0;
}

/* Read the source lines and inlined functions of a file that has them. */
static void read_lines(struct module *m, const struct symbols_options *o, int fd)
{
	if (!o->lines || !o->lines(fd, &m->source))
		return;
	m->problem =
		errno == ENOMEM ? "memory ran out" : "the debug information is malformed";
	source_free(&m->source);
}

static void read_module(struct module *m, const struct symbols_options *o)
{
	const int fd = open_file(o->root ? o->root : "", m->path);

	if (fd < 0) {
		m->problem = "the file cannot be opened";
		return;
	}
	if (read_file(m, fd)) {
		elf_file_free(&m->file);
		table_free(&m->table);
		strings_free(&m->strings);
	} else if (m->file.has_dwarf) {
		read_lines(m, o, fd);
	}
	close(fd);
}

void module_load(struct module *m, const struct symbols_options *o)
{
	if (m->is_loaded)
		return;
	m->is_loaded = 1;
	if (module_is_file(m))
		read_module(m, o);
	if (table_finish(&m->table)) {
		table_free(&m->table);
		m->problem = "memory ran out";
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
