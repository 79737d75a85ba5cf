/* The image of a process: the addresses of names in its program and its libraries. */
#ifndef SUITE_NAMED_IMAGE_H
#define SUITE_NAMED_IMAGE_H

#include <stddef.h>
#include <sys/types.h>

#include "engine/breakpoint.h"
#include "engine/engine.h"

/* An event at a name. */
struct wanted {
	const char *event; /* the text of the event */
	char *symbol;
	struct breakpoint breakpoint;
};

enum found_state { FOUND_NOT_YET, FOUND, FOUND_NOT };

/* The place of an event in an image. */
struct found {
	enum found_state state;
	int is_placed; /* of the caller: its breakpoints were moved as the state says */
	struct engine_place place; /* FOUND */
	char *why; /* FOUND_NOT: a sentence without the event; malloc'ed */
};

struct image;

/*
 * Read the image of a process. Returns NULL with ENOMEM, or with ENOTSUP if this program
 * was built without the libraries that read symbols.
 */
struct image *image_new(pid_t pid);
void image_free(struct image *im); /* NULL is allowed */

/*
 * The place at which the program begins after its dynamic loader, or that of the program
 * itself.
 */
struct engine_place image_entry(const struct image *im);

/* Return whether a dynamic loader maps libraries before the program begins. */
int image_has_loader(const struct image *im);

/*
 * Look for events of which f[i].state is FOUND_NOT_YET in what is mapped now. Names that
 * are not there stay FOUND_NOT_YET; if last is set, the dynamic loader is searched too,
 * and they become FOUND_NOT. Returns 1 if a state has changed, else 0; or -1 with ENOMEM.
 */
int image_look(struct image *im, const struct wanted *w, struct found *f, size_t n,
	       int last);

#endif
