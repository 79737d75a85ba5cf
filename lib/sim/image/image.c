#include "sim/image/image.h"

#include <elf.h>

enum {
	SMALLEST = 128 << 10, /* size of an image */
	NAME_PLACE = 4096,    /* PATH_MAX: for argv[0] and AT_EXECFN */
	STRING_PLACE = 512,
	RANDOM_SIZE = 16
};

/* CPUID(1).EDX of a processor of level x86-64-v1, which AT_HWCAP shows. */
static const uint64_t hwcap = 0x078bfbff;

size_t image_words(const uint64_t *sp)
{
	const uint64_t *p = sp + 1;

	for (int lists = 0; lists < 2; lists++) {
		while (*p)
			p++;
		p++;
	}
	while (*p != AT_NULL)
		p += 2;
	return (size_t)(p + 2 - sp);
}

void image_copy(const uint64_t *sp, uint64_t *room, struct image *im)
{
	const size_t n = image_words(sp);

	for (size_t i = 0; i < n; i++)
		room[i] = sp[i];
	im->argc = im->nenv = 0;
	im->argv = (char **)(room + 1);
	while (im->argv[im->argc])
		im->argc++;
	im->env = im->argv + im->argc + 1;
	while (im->env[im->nenv])
		im->nenv++;
	im->aux = (struct image_aux *)(im->env + im->nenv + 1);
	im->naux = (unsigned)(room + n - (uint64_t *)im->aux) / 2;
}

size_t image_size(const struct image *im)
{
	return 1 + im->argc + 1 + im->nenv + 1 + 2 * (size_t)im->naux;
}

void image_write(const struct image *im, uint64_t *to)
{
	*to++ = im->argc;
	for (unsigned i = 0; i < im->argc; i++)
		*to++ = (uintptr_t)im->argv[i];
	*to++ = 0;
	for (unsigned i = 0; i < im->nenv; i++)
		*to++ = (uintptr_t)im->env[i];
	*to++ = 0;
	for (unsigned i = 0; i < im->naux; i++) {
		*to++ = im->aux[i].type;
		*to++ = im->aux[i].value;
	}
}

static struct image_aux *find_aux(const struct image *im, uint64_t type)
{
	for (unsigned i = 0; i < im->naux; i++)
		if (im->aux[i].type == type)
			return &im->aux[i];
	return NULL;
}

void image_fix_aux(struct image *im)
{
	static const uint64_t order[] = {
		AT_HWCAP, AT_PAGESZ, AT_CLKTCK, AT_PHDR,   AT_PHENT,   AT_PHNUM,
		AT_BASE,  AT_FLAGS,  AT_ENTRY,	AT_UID,	   AT_EUID,    AT_GID,
		AT_EGID,  AT_SECURE, AT_RANDOM, AT_EXECFN, AT_PLATFORM};
	enum { N = sizeof order / sizeof order[0] };
	struct image_aux fixed[N];
	unsigned n = 0;

	for (unsigned i = 0; i < N; i++) {
		const struct image_aux *const aux = find_aux(im, order[i]);
		if (!aux)
			continue;
		fixed[n] = *aux;
		if (order[i] == AT_HWCAP)
			fixed[n].value = hwcap;
		for (unsigned k = 0; order[i] == AT_RANDOM && k < RANDOM_SIZE; k++)
			((uint8_t *)aux->value)[k] = (uint8_t)(k * 37 + 11);
		n++;
	}
	for (unsigned i = 0; i < n; i++)
		im->aux[i] = fixed[i];
	im->aux[n] = (struct image_aux){AT_NULL, 0};
	im->naux = n + 1;
}

/* An image while its strings get their places. */
struct build {
	char *out;
	size_t at, room; /* offset of the next string; bytes in out */
	uint64_t base;	 /* address that out will have */
};

static size_t round_up(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

/* Copies size bytes to a place of their own. Returns their address, or 0: no room. */
static uint64_t place(struct build *b, const void *bytes, size_t size, size_t each)
{
	const size_t at = b->at, end = at + round_up(size, each);

	if (end > b->room)
		return 0;
	for (size_t i = 0; i < size; i++)
		b->out[at + i] = ((const char *)bytes)[i];
	b->at = end;
	return b->base + at;
}

static uint64_t place_string(struct build *b, const void *string, size_t each)
{
	size_t size = 1;

	for (const char *s = string; *s; s++)
		size++;
	return place(b, string, size, each);
}

/* Gives the bytes of an auxv entry their place. Returns 0 if there is no room. */
static int place_aux(struct build *b, struct image_aux *aux)
{
	const void *const from = (const void *)(uintptr_t)aux->value;

	if (aux->type == AT_RANDOM)
		aux->value = place(b, from, RANDOM_SIZE, STRING_PLACE);
	else if (aux->type == AT_PLATFORM || aux->type == AT_EXECFN)
		aux->value = place_string(
			b, from, aux->type == AT_EXECFN ? NAME_PLACE : STRING_PLACE);
	else
		return 1;
	return aux->value != 0;
}

/* Places all strings after the words. Returns 0 if there is no room. */
static int build(const struct image *im, struct build *b)
{
	const size_t words = image_size(im);
	uint64_t *const to = (uint64_t *)b->out;

	b->at = round_up(words * sizeof *to, NAME_PLACE);
	if (b->at > b->room)
		return 0;
	image_write(im, to);
	for (unsigned i = 0; i < im->argc; i++)
		if (!(to[1 + i] = place_string(b, im->argv[i],
					       i ? STRING_PLACE : NAME_PLACE)))
			return 0;
	uint64_t *const env = to + 1 + im->argc + 1;
	for (unsigned i = 0; i < im->nenv; i++)
		if (!(env[i] = place_string(b, im->env[i], STRING_PLACE)))
			return 0;
	struct image_aux *const aux = (struct image_aux *)(env + im->nenv + 1);
	for (unsigned i = 0; i < im->naux; i++)
		if (!place_aux(b, &aux[i]))
			return 0;
	return 1;
}

size_t image_build(const struct image *im, uint64_t top, void *out, size_t room)
{
	for (size_t size = SMALLEST; size <= room; size *= 2) {
		struct build b = {.out = out, .room = size, .base = top - size};
		for (size_t i = 0; i < size; i++)
			b.out[i] = 0;
		if (build(im, &b))
			return size;
	}
	return 0;
}
