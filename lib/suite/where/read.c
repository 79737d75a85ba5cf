#include "suite/where/read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpc/session.h"
#include "lwp/recording.h"
#include "suite/where/space.h"
#include "symbols/symbols.h"

struct reader {
	struct where *to;
	char *program; /* the path of the first file of the run; NULL: none was seen */
};

/* Returns the names of the files that an image has mapped, or NULL with ENOMEM. */
static struct symbols *open_symbols(const struct engine_image *image)
{
	const struct symbols_options options = {.pid = image->pid};
	struct recording r = {.mapping =
				      calloc(2 * image->nmapping + 2, sizeof *r.mapping)};

	if (!r.mapping)
		return NULL;
	for (size_t i = 0; i < image->nmapping; i++) {
		const struct engine_mapping *m = &image->mapping[i];

		recording_map(&r, &(struct recording_mapping){.start = m->start,
							      .end = m->end,
							      .offset = m->offset,
							      .path = m->path,
							      .head = m->head,
							      .head_size = m->head_size});
	}
	struct symbols *s = space_symbols(&r, &options);
	free(r.mapping);
	return s;
}

static const char *base_of(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash && slash[1] ? slash + 1 : path;
}

/*
 * Returns the length of a name without the ending of a part that the compiler has made of
 * a function, which may have another number, or none, in the next build: "sort.part.0",
 * "sort(int*) [clone .cold]".
 */
static size_t length_of(const char *name)
{
	static const char *const endings[] = {" [clone ", ".cold",	 ".part.",
					      ".isra.",	  ".constprop.", ".lto_priv.",
					      ".llvm."};
	size_t length = strlen(name);

	for (unsigned i = 0; i < sizeof endings / sizeof endings[0]; i++) {
		const char *at = strstr(name, endings[i]);

		if (at && at > name && (size_t)(at - name) < length)
			length = (size_t)(at - name);
	}
	return length;
}

/* Is this the module of memory that is no file's? Such names begin so. */
static int is_anonymous(const char *module)
{
	return !module || strncmp(module, "//", 2) == 0;
}

/* Returns the file that a function is named with, or NULL. */
static const char *module_of(const struct reader *r, const struct symbols_frame *f)
{
	if (is_anonymous(f->module))
		return f->function ? "[anonymous]" : NULL;
	return r->program && strcmp(f->module, r->program) == 0 ? NULL
								: base_of(f->module);
}

/* Add a count to the function of this frame. Returns 0, or -1 with ENOMEM. */
static int add(struct reader *r, const struct symbols_frame *f,
	       const struct engine_count *c)
{
	char *name = f->function ? strndup(f->function, length_of(f->function)) : NULL;
	const struct where_function function = {.name = name ? name
							: is_anonymous(f->module)
								? "[anonymous]"
								: "[no symbol]",
						.module = module_of(r, f),
						.source = base_of(f->unit)};
	double *value = name || !f->function ? where_at(r->to, &function) : NULL;

	if (value)
		value[c->event] += c->count;
	free(name);
	return value ? 0 : -1;
}

/* The first mapping of the first image is that of the program, or of its interpreter. */
static int set_program(struct reader *r, const struct engine_image *image)
{
	if (r->program || image->nmapping == 0 || !image->mapping[0].path)
		return 0;
	r->program = strdup(image->mapping[0].path);
	return r->program ? 0 : -1;
}

/* Does code of this file that was counted belong to no function? */
static int lacks_names(struct symbols *s, const struct engine_image *image,
		       const char *path)
{
	for (size_t i = 0; i < image->ncount; i++) {
		struct symbols_frame f;

		symbols_code(s, image->count[i].pc, &f, 1);
		if (!f.function && f.module && strcmp(f.module, path) == 0)
			return 1;
	}
	return 0;
}

/*
 * Note a file that lacks names. Returns 0, or -1 with ENOMEM, also if that is why the
 * names are lacking: the same run has them as soon as there is memory.
 */
static int note_unread(struct where *w, struct symbols *s,
		       const struct engine_image *image)
{
	const char *path, *why;

	for (unsigned i = 0; !w->unread && (path = symbols_problem(s, i, &why)); i++) {
		if (!lacks_names(s, image, path))
			continue;
		if (why == symbols_no_memory ||
		    asprintf(&w->unread, "%s: %s", path, why) == -1) {
			w->unread = NULL;
			return -1;
		}
	}
	return 0;
}

static int add_image(void *arg, const struct engine_image *image)
{
	struct reader *r = arg;
	struct symbols *s = open_symbols(image);
	int rc = s ? set_program(r, image) : -1;

	for (size_t i = 0; rc == 0 && i < image->ncount; i++) {
		struct symbols_frame frame;

		symbols_code(s, image->count[i].pc, &frame, 1);
		if (image->count[i].event < r->to->nevents)
			rc = add(r, &frame, &image->count[i]);
	}
	if (rc == 0)
		rc = note_unread(r->to, s, image);
	symbols_free(s);
	if (rc == -1)
		errno = ENOMEM;
	return rc;
}

int where_can_read(void)
{
	return 1;
}

struct where *where_read(cpc_t *cpc, unsigned nsets, cpc_set_t *const *sets,
			 unsigned nevents)
{
	struct reader r = {.to = where_new(nevents)};
	const int rc = r.to ? session_read_by_code(cpc, nsets, sets, &r, add_image) : -1;

	free(r.program);
	if (rc == 0) {
		where_sort(r.to);
		return r.to;
	}
	const int e = errno;
	where_free(r.to);
	errno = e;
	return NULL;
}
