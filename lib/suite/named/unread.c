/* The image of a process where the libraries that read symbols are missing. */
#include <errno.h>

#include "suite/named/image.h"

struct image *image_new(pid_t pid)
{
	(void)pid;
	errno = ENOTSUP;
	return NULL;
}

void image_free(struct image *im)
{
	(void)im;
}

struct engine_place image_entry(const struct image *im)
{
	(void)im;
	return (struct engine_place){0};
}

int image_has_loader(const struct image *im)
{
	(void)im;
	return 0;
}

int image_look(struct image *im, const struct wanted *w, struct found *f, size_t n,
	       int last)
{
	(void)im;
	(void)w;
	(void)f;
	(void)n;
	(void)last;
	errno = ENOTSUP;
	return -1;
}
