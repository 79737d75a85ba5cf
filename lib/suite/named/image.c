#include "suite/named/image.h"

#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/say.h"
#include "symbols/symbols.h"

struct image {
	pid_t pid;
	char path[PATH_MAX];
	uint64_t entry, loader; /* AT_ENTRY, AT_BASE */
	struct symbols *symbols;
	char *maps; /* that symbols has; NULL: none yet */
};

static void read_auxv(struct image *im)
{
	uint64_t word[128] = {0};

	file_read((char *)word, sizeof word, "/proc/%d/auxv", (int)im->pid);
	for (size_t i = 0; i + 1 < sizeof word / sizeof *word && word[i]; i += 2) {
		if (word[i] == AT_ENTRY)
			im->entry = word[i + 1];
		if (word[i] == AT_BASE)
			im->loader = word[i + 1];
	}
}

static void read_path(struct image *im)
{
	char link[64];

	snprintf(link, sizeof link, "/proc/%d/exe", (int)im->pid);
	const ssize_t n = readlink(link, im->path, sizeof im->path - 1);
	im->path[n > 0 ? n : 0] = '\0';
}

struct image *image_new(pid_t pid)
{
	const struct symbols_options names = {.mangled = 1, .pid = pid};
	struct image *im = calloc(1, sizeof *im);

	if (!im)
		return NULL;
	im->pid = pid;
	im->symbols = symbols_new(&names);
	if (!im->symbols) {
		image_free(im);
		return NULL;
	}
	read_auxv(im);
	read_path(im);
	return im;
}

void image_free(struct image *im)
{
	if (!im)
		return;
	symbols_free(im->symbols);
	free(im->maps);
	free(im);
}

struct engine_place image_entry(const struct image *im)
{
	return (struct engine_place){
		.address = im->entry, .access = ENGINE_EXECUTE, .is_provisional = 1};
}

int image_has_loader(const struct image *im)
{
	return im->loader != 0;
}

/* Return the text of /proc/PID/maps, which is "" if the process has gone, or NULL. */
static char *read_maps(pid_t pid)
{
	char path[64], *text = NULL;
	size_t size = 0;

	snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
	FILE *const f = fopen(path, "re");
	const ssize_t n = f ? getdelim(&text, &size, '\0', f) : -1;
	if (f)
		fclose(f);
	if (n >= 0)
		return text;
	free(text);
	return strdup("");
}

/* Return the name of the file of a line of the maps, up to the end of the line. */
static const char *name_of(const char *line)
{
	const char *const end = line + strcspn(line, "\n"), *p = line;

	for (int fields = 0; fields < 5 && p < end; fields++) {
		p += strcspn(p, " \n");
		p += strspn(p, " ");
	}
	return p < end ? p : end;
}

static int has_name(const char *line, const char *name, size_t size)
{
	const char *const own = name_of(line);

	return strcspn(own, "\n") == size && !memcmp(own, name, size);
}

/* Return the line of the mapping that begins at an address, or NULL. */
static const char *line_at(const char *maps, uint64_t address)
{
	while (*maps && strtoull(maps, NULL, 16) != address) {
		maps += strcspn(maps, "\n");
		maps += *maps == '\n';
	}
	return *maps ? maps : NULL;
}

/* Which files the search begins with: those that a reference to a name finds first. */
enum order { PROGRAM, LIBRARIES, LOADER };

static enum order order_of(const struct image *im, const char *line, const char *loader)
{
	const char *const name = loader ? name_of(loader) : "";
	const size_t size = strcspn(name, "\n");

	if (has_name(line, im->path, strlen(im->path)))
		return PROGRAM;
	return size && has_name(line, name, size) ? LOADER : LIBRARIES;
}

/* Map the lines of one order, the last line first: libraries are mapped downwards. */
static int map_lines(struct image *im, char *maps, enum order order)
{
	const char *const loader = im->loader ? line_at(maps, im->loader) : NULL;
	char *end = maps + strlen(maps);

	while (end > maps) {
		char *line = end - 1;

		while (line > maps && line[-1] != '\n')
			line--;
		if (order_of(im, line, loader) == order) {
			const char cut = *end;

			*end = '\0';
			const int failed = symbols_map_text(im->symbols, line);
			*end = cut;
			if (failed)
				return -1;
		}
		end = line;
	}
	return 0;
}

/* Bring the mappings up to date. Returns 1 if they have changed, else 0; or -1. */
static int map(struct image *im, int last)
{
	char *const maps = read_maps(im->pid);

	if (!maps)
		return -1;
	if (im->maps && !strcmp(maps, im->maps) && !last) {
		free(maps);
		return 0;
	}
	free(im->maps);
	im->maps = maps;
	if (map_lines(im, maps, PROGRAM) || map_lines(im, maps, LIBRARIES) ||
	    (last && map_lines(im, maps, LOADER)))
		return -1;
	return 1;
}

static int is_width(uint64_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* Fill the length of an access to data. Returns 0, or -1 with a sentence in why. */
static int choose_length(const struct wanted *w, const struct symbols_object *o,
			 struct engine_place *p, char *why, size_t size)
{
	p->length = w->breakpoint.has_length ? w->breakpoint.length : o->size;
	if (o->is_function && !w->breakpoint.has_length)
		say_add(why, size,
			"'%s' is a function in %s; give the length of the data, as in "
			"mem:%s/4:w",
			w->symbol, o->module, w->symbol);
	else if (!p->length)
		say_add(why, size,
			"the size of '%s' in %s is not known; give a length, as in "
			"mem:%s/4:w",
			w->symbol, o->module, w->symbol);
	else if (!is_width(p->length))
		say_add(why, size,
			"'%s' in %s has %llu bytes, and a breakpoint covers 1, 2, 4 or "
			"8; mem:%s/8:w counts writes of its first 8 bytes",
			w->symbol, o->module, (unsigned long long)o->size, w->symbol);
	else if (o->address % p->length)
		say_add(why, size,
			"'%s' is at address 0x%llx, which is not a multiple of %llu; "
			"give a shorter length, as in mem:%s/1:w",
			w->symbol, (unsigned long long)o->address,
			(unsigned long long)p->length, w->symbol);
	return *why ? -1 : 0;
}

/* Choose the place of an event. Returns 0, or -1 with a sentence in why. */
static int choose_place(const struct wanted *w, const struct symbols_object *o,
			struct engine_place *p, char *why, size_t size)
{
	*p = (struct engine_place){.address = o->address, .access = w->breakpoint.access};
	if (o->is_thread_local) {
		say_add(why, size,
			"'%s' in %s is thread-local: each thread has one, at an address "
			"that is not known before; a breakpoint needs one address",
			w->symbol, o->module);
		return -1;
	}
	if (p->access == ENGINE_ANY)
		p->access = o->is_function ? ENGINE_EXECUTE : ENGINE_WRITE;
	if (p->access != ENGINE_EXECUTE)
		return choose_length(w, o, p, why, size);
	if (!o->is_function)
		say_add(why, size, "'%s' is a variable in %s; use w or rw", w->symbol,
			o->module);
	else if (o->is_indirect)
		say_add(why, size,
			"'%s' in %s is chosen among several functions when the program "
			"starts (an indirect function); use the name of one of them",
			w->symbol, o->module);
	return *why ? -1 : 0;
}

static int not_found(struct found *f, const char *why)
{
	f->state = FOUND_NOT;
	f->why = strdup(why);
	return f->why ? 1 : -1;
}

/* Why no file has the name, with the nearest names and the files that cannot be read. */
static void say_missing(struct image *im, const struct wanted *w, char *why, size_t size)
{
	char near[CPC_MAX_EVENT_LEN + 256];
	const char *reason, *file;

	symbols_suggest(im->symbols, w->symbol, near, sizeof near);
	say_add(why, size, "%s%s has no function or variable '%s'", im->path,
		im->loader ? " with its libraries" : "", w->symbol);
	if (*near)
		say_add(why, size, "; %s", near);
	else
		say_add(why, size,
			"; of a stripped file only the names that it exports are known");
	for (unsigned i = 0; (file = symbols_problem(im->symbols, i, &reason)); i++)
		if (!strcmp(file, im->path))
			say_add(why, size, "; its symbols cannot be read: %s", reason);
}

static int look(struct image *im, const struct wanted *w, struct found *f, int last)
{
	char why[CPC_MAX_EVENT_LEN + 2 * PATH_MAX] = "";
	struct symbols_object o;

	if (symbols_find(im->symbols, w->symbol, &o) == 0) {
		if (choose_place(w, &o, &f->place, why, sizeof why))
			return not_found(f, why);
		f->state = FOUND;
		return 1;
	}
	if (!last)
		return 0;
	say_missing(im, w, why, sizeof why);
	return not_found(f, why);
}

int image_look(struct image *im, const struct wanted *w, struct found *f, size_t n,
	       int last)
{
	int changed = map(im, last);

	if (changed <= 0)
		return changed;
	changed = 0;
	for (size_t i = 0; i < n; i++) {
		const int one =
			f[i].state == FOUND_NOT_YET ? look(im, &w[i], &f[i], last) : 0;

		if (one == -1)
			return -1;
		changed |= one;
	}
	return changed;
}
