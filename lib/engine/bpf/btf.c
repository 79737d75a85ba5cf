#include "engine/bpf/btf.h"

#include <errno.h>
#include <linux/btf.h>
#include <string.h>

/* The parts of a description: types, and the texts that they refer to. */
struct btf {
	const unsigned char *type, *end;
	const char *text;
	uint32_t text_size;
};

/* Kinds that headers before Linux 6.0 lack, with the numbers of BTF_KIND_. */
enum { DECL_TAG = 17, TYPE_TAG = 18, ENUM64 = 19, KINDS };

/*
 * The bytes that follow the head of a type: a fixed number, and so many for each of its
 * members. A kind that this table does not have ends the search.
 */
static const struct {
	unsigned char known, fixed, each;
} extra[KINDS] = {
	[BTF_KIND_INT] = {1, 4, 0},
	[BTF_KIND_PTR] = {1, 0, 0},
	[BTF_KIND_ARRAY] = {1, 12, 0},
	[BTF_KIND_STRUCT] = {1, 0, 12},
	[BTF_KIND_UNION] = {1, 0, 12},
	[BTF_KIND_ENUM] = {1, 0, 8},
	[BTF_KIND_FWD] = {1, 0, 0},
	[BTF_KIND_TYPEDEF] = {1, 0, 0},
	[BTF_KIND_VOLATILE] = {1, 0, 0},
	[BTF_KIND_CONST] = {1, 0, 0},
	[BTF_KIND_RESTRICT] = {1, 0, 0},
	[BTF_KIND_FUNC] = {1, 0, 0},
	[BTF_KIND_FUNC_PROTO] = {1, 0, 8},
	[BTF_KIND_VAR] = {1, 4, 0},
	[BTF_KIND_DATASEC] = {1, 0, 12},
	[BTF_KIND_FLOAT] = {1, 0, 0},
	[DECL_TAG] = {1, 4, 0},
	[TYPE_TAG] = {1, 0, 0},
	[ENUM64] = {1, 0, 12},
};

static int is_named(const struct btf *b, uint32_t offset, const char *name)
{
	const size_t n = strlen(name) + 1;

	return offset < b->text_size && n <= b->text_size - offset &&
	       memcmp(b->text + offset, name, n) == 0;
}

/* Look for a place in a structure with vlen members. */
static void look(const struct btf *b, const struct btf_type *t,
		 const unsigned char *members, struct bpf_btf_place *place)
{
	const int with_bits = BTF_INFO_KFLAG(t->info);
	struct btf_member m;

	if (!place->member) {
		*place->bytes = t->size;
		place->found = 1;
		return;
	}
	for (unsigned i = 0; i < BTF_INFO_VLEN(t->info); i++) {
		memcpy(&m, members + i * sizeof m, sizeof m);
		if (!is_named(b, m.name_off, place->member))
			continue;
		*place->bytes =
			(with_bits ? BTF_MEMBER_BIT_OFFSET(m.offset) : m.offset) / 8;
		place->found = 1;
		return;
	}
}

/* Look at the type at *p, and move *p behind it. */
static int look_at_type(const struct btf *b, const unsigned char **p,
			struct bpf_btf_place *place, unsigned n)
{
	struct btf_type t;

	if ((size_t)(b->end - *p) < sizeof t)
		return -1;
	memcpy(&t, *p, sizeof t);
	*p += sizeof t;
	const unsigned kind = BTF_INFO_KIND(t.info);
	if (kind >= KINDS || !extra[kind].known)
		return -1;
	const size_t more =
		extra[kind].fixed + (size_t)extra[kind].each * BTF_INFO_VLEN(t.info);
	if (more > (size_t)(b->end - *p))
		return -1;
	for (unsigned i = 0; kind == BTF_KIND_STRUCT && i < n; i++)
		if (!place[i].found && is_named(b, t.name_off, place[i].structure))
			look(b, &t, *p, &place[i]);
	*p += more;
	return 0;
}

static int open_btf(struct btf *b, const unsigned char *bytes, size_t size)
{
	struct btf_header h;

	if (size < sizeof h)
		return -1;
	memcpy(&h, bytes, sizeof h);
	if (h.magic != BTF_MAGIC || h.hdr_len > size || h.type_off > size - h.hdr_len ||
	    h.type_len > size - h.hdr_len - h.type_off || h.str_off > size - h.hdr_len ||
	    h.str_len > size - h.hdr_len - h.str_off)
		return -1;
	b->type = bytes + h.hdr_len + h.type_off;
	b->end = b->type + h.type_len;
	b->text = (const char *)bytes + h.hdr_len + h.str_off;
	b->text_size = h.str_len;
	return 0;
}

int bpf_btf_find(const unsigned char *btf, size_t size, struct bpf_btf_place *place,
		 unsigned n)
{
	struct btf b;
	unsigned found = 0;

	errno = EINVAL;
	if (open_btf(&b, btf, size) == -1)
		return -1;
	for (const unsigned char *p = b.type; p < b.end && found < n;) {
		if (look_at_type(&b, &p, place, n) == -1)
			return -1;
		found = 0;
		for (unsigned i = 0; i < n; i++)
			found += place[i].found != 0;
	}
	errno = ENOENT;
	return found == n ? 0 : -1;
}
