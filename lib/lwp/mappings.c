#include "lwp/mappings.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "lwp/arena.h"

/* How much of a file is kept, and in how much of it the build id is looked for. */
#define HEAD_KEPT     4096
#define HEAD_SEARCHED 65536

#define BUILD_ID_MAX 64

static int fail(int error, char *why, size_t n, const char *text)
{
	snprintf(why, n, "%s", text);
	errno = error;
	return -1;
}

/*
 * NT_FILE: the number of mappings, the size of a page, then for each mapping its start,
 * end and offset in pages, then the paths.
 */
static int read_files(struct recording *r, const struct core_note *note, char *why,
		      size_t room)
{
	if (!note->desc)
		return 0;
	const uint64_t n = note->size >= 16 ? bytes_get64(note->desc) : UINT64_MAX;
	if (n > (note->size - 16) / 24)
		return fail(EINVAL, why, room,
			    "its list of mapped files (NT_FILE) is malformed");
	const uint64_t page = bytes_get64(note->desc + 8);
	const char *path = (const char *)note->desc + 16 + n * 24;
	const char *end = (const char *)note->desc + note->size;
	for (uint64_t i = 0; i < n; i++) {
		const uint8_t *p = note->desc + 16 + i * 24;
		const char *nul = memchr(path, '\0', (size_t)(end - path));
		struct recording_mapping *m = &r->mapping[r->nmapping];

		if (!nul)
			return fail(EINVAL, why, room,
				    "its list of mapped files (NT_FILE) is cut");
		m->start = bytes_get64(p);
		m->end = bytes_get64(p + 8);
		m->offset = bytes_get64(p + 16) * page;
		m->path = path;
		r->nmapping += m->end > m->start;
		path = nul + 1;
	}
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct recording_mapping *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Add the memory outside the first n mappings, which are sorted: it is anonymous. */
static void add_anonymous(struct recording *r, const struct core *c, uint64_t vdso)
{
	const size_t n = r->nmapping;
	size_t k = 0;

	for (size_t i = 0; i < c->nload; i++) {
		const struct core_segment *s = &c->load[i];

		while (k < n && r->mapping[k].end <= s->start)
			k++;
		if (k < n && r->mapping[k].start < s->end)
			continue;
		struct recording_mapping *m = &r->mapping[r->nmapping++];
		m->start = s->start;
		m->end = s->end;
		m->offset = 0;
		m->path = s->start == vdso ? "[vdso]" : NULL;
	}
}

/* The program is the file that has the program headers which the kernel has read. */
static void find_program(struct recording *r, uint64_t program)
{
	for (size_t i = 0; i < r->nmapping; i++)
		if (r->mapping[i].path && r->mapping[i].start <= program &&
		    program < r->mapping[i].end)
			r->program = r->mapping[i].path;
}

int mappings_read(struct recording *r, const struct core *c,
		  const struct core_note *files, uint64_t vdso, uint64_t program,
		  char *why, size_t n)
{
	r->mapping = arena_alloc(&r->owner, files->size / 24 + c->nload + 1,
				 sizeof *r->mapping);
	if (!r->mapping)
		return fail(ENOMEM, why, n, strerror(ENOMEM));
	if (read_files(r, files, why, n) == -1)
		return -1;
	qsort(r->mapping, r->nmapping, sizeof *r->mapping, by_start);
	add_anonymous(r, c, vdso);
	qsort(r->mapping, r->nmapping, sizeof *r->mapping, by_start);
	find_program(r, program);
	return 0;
}

void recording_set_head(struct recording_mapping *m, const uint8_t *p, size_t size)
{
	if (size < SELFMAG || memcmp(p, ELFMAG, SELFMAG) != 0)
		return;
	m->head = p;
	m->head_size = size < HEAD_KEPT ? size : HEAD_KEPT;
	if (m->build_id)
		return;
	m->build_id_size = core_build_id(p, size, &m->build_id);
	if (m->build_id_size > BUILD_ID_MAX)
		m->build_id_size = 0;
	if (!m->build_id_size)
		m->build_id = NULL;
}

void mappings_share_build_ids(struct recording *r)
{
	for (size_t i = 1; i < r->nmapping; i++) {
		struct recording_mapping *m = &r->mapping[i];

		if (m->build_id || !m->offset || !m->path || !m[-1].path ||
		    strcmp(m[-1].path, m->path) != 0)
			continue;
		m->build_id = m[-1].build_id;
		m->build_id_size = m[-1].build_id_size;
	}
}

void mappings_find_heads(struct recording *r, const struct core *c)
{
	for (size_t i = 0; i < r->nmapping; i++) {
		struct recording_mapping *m = &r->mapping[i];
		size_t n = m->end - m->start;

		if (!m->path || m->offset)
			continue;
		n = n < HEAD_SEARCHED ? n : HEAD_SEARCHED;
		const uint8_t *p = core_memory(c, m->start, &n);
		if (p)
			recording_set_head(m, p, n);
	}
	mappings_share_build_ids(r);
}
