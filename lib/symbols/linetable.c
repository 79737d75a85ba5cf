#include "symbols/linetable.h"

#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Names of folders and files are shorter: it is PATH_MAX of Linux. */
enum { MAX_NAME = 4096, MAX_FORMATS = 16 };

/* The linker has left code out whose address is within the ELF header. */
enum { FIRST_ADDRESS = 64 };

static int malformed(void)
{
	errno = ENOEXEC;
	return -1;
}

static int add_dir(struct linetable *t, const char *name)
{
	if (array_grow(&t->dirs, t->ndirs, sizeof(*t->dirs)))
		return -1;
	t->dirs[t->ndirs++] = name;
	return 0;
}

static int add_file(struct linetable *t, const char *name, uint64_t dir)
{
	if (array_grow(&t->files, t->nfiles, sizeof(*t->files)))
		return -1;
	t->files[t->nfiles++] = (struct linetable_file){name, dir, SOURCE_NONE};
	return 0;
}

/* Versions 2 to 4: the folders and the files are numbered from 1. */
static int read_names(struct linetable *t, struct cursor *c)
{
	const char *name;

	if (add_dir(t, t->comp_dir) || add_file(t, NULL, 0))
		return -1;
	while ((name = cursor_string(c, MAX_NAME)) && *name)
		if (add_dir(t, name))
			return -1;
	while ((name = cursor_string(c, MAX_NAME)) && *name) {
		const uint64_t dir = cursor_leb(c);

		cursor_leb(c); /* time */
		cursor_leb(c); /* size */
		if (add_file(t, name, dir))
			return -1;
	}
	return 0;
}

/* The entries of version 5 have a type and a form for each of their values. */
struct formats {
	unsigned n;
	struct {
		uint64_t type, form;
	} list[MAX_FORMATS];
};

static void read_formats(struct cursor *c, struct formats *f)
{
	f->n = cursor_number(c, 1);
	if (f->n > MAX_FORMATS) {
		cursor_skip(c, UINT64_MAX);
		f->n = 0;
	}
	for (unsigned i = 0; i < f->n; i++) {
		f->list[i].type = cursor_leb(c);
		f->list[i].form = cursor_leb(c);
	}
}

static const char *string_at(const struct section *s, uint64_t offset)
{
	struct cursor c = cursor_at(s, offset);

	return cursor_string(&c, MAX_NAME);
}

/* Read a value: a string or a number. */
static void read_value(struct linetable *t, struct cursor *c, uint64_t form,
		       unsigned offset_size, const char **string, uint64_t *number)
{
	switch (form) {
	case DW_FORM_string:
		*string = cursor_string(c, MAX_NAME);
		break;
	case DW_FORM_line_strp:
		*string = string_at(&t->line_str, cursor_number(c, offset_size));
		break;
	case DW_FORM_strp:
		*string = string_at(&t->str, cursor_number(c, offset_size));
		break;
	case DW_FORM_udata:
		*number = cursor_leb(c);
		break;
	case DW_FORM_data1:
		*number = cursor_number(c, 1);
		break;
	case DW_FORM_data2:
		*number = cursor_number(c, 2);
		break;
	case DW_FORM_data4:
		*number = cursor_number(c, 4);
		break;
	case DW_FORM_data8:
		*number = cursor_number(c, 8);
		break;
	case DW_FORM_data16:
		cursor_skip(c, 16);
		break;
	case DW_FORM_block:
		cursor_skip(c, cursor_leb(c));
		break;
	default:
		cursor_skip(c, UINT64_MAX);
	}
}

/* Version 5: the folders or the files, numbered from 0. */
static int read_entries(struct linetable *t, struct cursor *c, unsigned offset_size,
			int are_files)
{
	struct formats f;

	read_formats(c, &f);
	for (uint64_t n = cursor_leb(c); n && !cursor_is_past(c); n--) {
		const size_t before = c->at;
		const char *name = NULL;
		uint64_t dir = 0;

		for (unsigned i = 0; i < f.n; i++) {
			const char *string = NULL;
			uint64_t number = 0;

			read_value(t, c, f.list[i].form, offset_size, &string, &number);
			if (f.list[i].type == DW_LNCT_path)
				name = string;
			else if (f.list[i].type == DW_LNCT_directory_index)
				dir = number;
		}
		/* There could be any number of entries without bytes. */
		if (c->at == before)
			return malformed();
		if (are_files ? add_file(t, name, dir) : add_dir(t, name))
			return -1;
	}
	return 0;
}

/* Read what follows the length of the table. */
static int read_header(struct linetable *t, struct cursor *c, unsigned offset_size)
{
	t->version = cursor_number(c, 2);
	if (t->version < 2 || t->version > 5)
		return malformed();
	if (t->version == 5)
		cursor_skip(c, 2);

	const uint64_t length = cursor_number(c, offset_size);

	t->program = *c;
	cursor_skip(&t->program, length);
	t->min_length = cursor_number(c, 1);
	t->max_ops = t->version >= 4 ? cursor_number(c, 1) : 1;
	cursor_skip(c, 1);
	t->line_base = (int8_t)cursor_number(c, 1);
	t->line_range = cursor_number(c, 1);
	t->opcode_base = cursor_number(c, 1);
	for (unsigned i = 1; i < t->opcode_base; i++)
		t->lengths[i] = cursor_number(c, 1);
	if (t->version == 5 ? read_entries(t, c, offset_size, 0) ||
				      read_entries(t, c, offset_size, 1)
			    : read_names(t, c))
		return -1;
	if (cursor_is_past(c) || cursor_is_past(&t->program) || !t->line_range)
		return malformed();
	return 0;
}

int linetable_open(struct linetable *t, uint64_t offset)
{
	struct cursor c = cursor_at(&t->line, offset);
	unsigned offset_size = 4;
	uint64_t length = cursor_number(&c, 4);

	if (length == 0xffffffff) {
		offset_size = 8;
		length = cursor_number(&c, 8);
	}
	t->ndirs = t->nfiles = 0;
	if (cursor_is_past(&c) || length > c.end - c.at)
		return malformed();
	c.end = c.at + length;
	t->size = c.end - offset;
	return read_header(t, &c, offset_size);
}

/* Return the path of a file, for the caller to free, or NULL with ENOMEM. */
static char *make_path(const struct linetable *t, const struct linetable_file *f)
{
	const char *const dir = f->dir < t->ndirs ? t->dirs[f->dir] : NULL;
	const int is_relative = dir && *dir != '/' && dir != t->comp_dir && t->comp_dir;
	char *path;

	if (*f->name == '/' || !dir)
		return strdup(f->name);
	return asprintf(&path, "%.*s%s%s/%s", MAX_NAME, is_relative ? t->comp_dir : "",
			is_relative ? "/" : "", dir, f->name) < 0
		       ? NULL
		       : path;
}

int linetable_file(struct linetable *t, uint64_t file, uint32_t *index)
{
	struct linetable_file *const f = file < t->nfiles ? &t->files[file] : NULL;
	char *path;

	*index = SOURCE_NONE;
	if (!f || !f->name)
		return 0;
	if (f->index == SOURCE_NONE) {
		path = make_path(t, f);
		if (!path)
			return -1;

		const size_t n = strlen(path);

		if (n > t->names_left) {
			free(path);
			return malformed();
		}
		t->names_left -= n;
		f->index = source_add_name(t->to, path);
		free(path);
		if (f->index == SOURCE_NONE)
			return -1;
	}
	*index = f->index;
	return 0;
}

/* The registers of the machine that the program of a table runs on. */
struct state {
	uint64_t address, op_index, file, line;
	int is_dead; /* the sequence is of code that the linker has left out */
	int has_row;
};

static void advance(const struct linetable *t, struct state *s, uint64_t operations)
{
	if (t->max_ops <= 1) {
		s->address += t->min_length * operations;
		return;
	}
	s->address += t->min_length * ((s->op_index + operations) / t->max_ops);
	s->op_index = (s->op_index + operations) % t->max_ops;
}

static int add_row(struct linetable *t, struct state *s)
{
	struct source_row row = {.address = s->address, .line = s->line};

	if (!s->has_row)
		s->is_dead = s->address < FIRST_ADDRESS;
	s->has_row = 1;
	if (s->is_dead)
		return 0;
	return linetable_file(t, s->file, &row.file) || source_add_row(t->to, &row) ? -1
										    : 0;
}

static int extended(struct linetable *t, struct cursor *c, struct state *s)
{
	const uint64_t length = cursor_leb(c);
	struct cursor inner = *c;

	cursor_skip(c, length);
	if (!length || cursor_is_past(c))
		return malformed();
	inner.end = c->at;
	switch (cursor_number(&inner, 1)) {
	case DW_LNE_end_sequence:
		if (source_end_sequence(t->to, s->address))
			return -1;
		*s = (struct state){.file = 1, .line = 1};
		break;
	case DW_LNE_set_address:
		s->op_index = 0;
		s->address = cursor_number(&inner, length - 1 <= 8 ? length - 1 : 8);
		break;
	case DW_LNE_define_file: {
		const char *const name = cursor_string(&inner, MAX_NAME);

		return name ? add_file(t, name, cursor_leb(&inner)) : malformed();
	}
	}
	return 0;
}

static int standard(struct linetable *t, struct cursor *c, struct state *s,
		    unsigned opcode)
{
	switch (opcode) {
	case DW_LNS_copy:
		return add_row(t, s);
	case DW_LNS_advance_pc:
		advance(t, s, cursor_leb(c));
		break;
	case DW_LNS_advance_line:
		s->line += cursor_sleb(c);
		break;
	case DW_LNS_set_file:
		s->file = cursor_leb(c);
		break;
	case DW_LNS_const_add_pc:
		advance(t, s, (255 - t->opcode_base) / t->line_range);
		break;
	case DW_LNS_fixed_advance_pc:
		s->address += cursor_number(c, 2);
		s->op_index = 0;
		break;
	default:
		for (unsigned i = t->lengths[opcode]; i; i--)
			cursor_leb(c);
	}
	return 0;
}

static int special(struct linetable *t, struct state *s, unsigned opcode)
{
	advance(t, s, (opcode - t->opcode_base) / t->line_range);
	s->line += t->line_base + (int)((opcode - t->opcode_base) % t->line_range);
	return add_row(t, s);
}

int linetable_run(struct linetable *t)
{
	struct state s = {.file = 1, .line = 1};
	struct cursor *const c = &t->program;
	int result = 0;

	while (!result && c->at < c->end) {
		const unsigned opcode = cursor_number(c, 1);

		if (!opcode)
			result = extended(t, c, &s);
		else if (opcode >= t->opcode_base)
			result = special(t, &s, opcode);
		else
			result = standard(t, c, &s, opcode);
	}
	/* Rows without an end of the sequence are in no range. */
	return result || source_end_sequence(t->to, 0) ? -1 : 0;
}

void linetable_free(struct linetable *t)
{
	free(t->dirs);
	free(t->files);
}
