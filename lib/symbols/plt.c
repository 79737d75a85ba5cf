#include "symbols/plt.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

/* A static program has some dozens of functions that are chosen when it starts. */
enum { MAX_TARGETS = 1000 };

/* The sorted words that the entries jump through. */
struct slots {
	struct elf_slot *list;
	size_t n, targets; /* names that were searched by address, which is slow */
};

static int compare(const void *x, const void *y)
{
	const struct elf_slot *const a = x, *const b = y;

	return (a->address > b->address) - (a->address < b->address);
}

static const struct elf_slot *find(struct slots *s, uint64_t address)
{
	const struct elf_slot key = {.address = address};
	const struct elf_slot *const found =
		s->n ? bsearch(&key, s->list, s->n, sizeof(key), compare) : NULL;

	return found && !found->name && ++s->targets > MAX_TARGETS ? NULL : found;
}

/* Return the name of the function at an address, or NULL. */
static const char *target_name(const struct table *t, uint64_t address)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->list[i].start == address && symbol_is_code(&t->list[i]))
			return t->list[i].name;
	return NULL;
}

static int add(const struct elf_plt *p, size_t start, size_t size,
	       const struct elf_slot *slot, struct table *t, struct strings *strings)
{
	const char *const name = slot->name ? slot->name : target_name(t, slot->target);
	char *text;
	const char *plt;

	if (!name || !*name)
		return 0;
	if (asprintf(&text, "%s@plt", name) < 0)
		return -1;
	plt = strings_copy(strings, text, strlen(text));
	free(text);
	if (!plt)
		return -1;
	return table_add(t, &(struct symbol){
				    .start = p->address + start,
				    .size = size,
				    .limit = p->address + p->size,
				    .name = plt,
				    .kind = SYMBOL_FUNCTION,
			    });
}

/* x86-64: "jmp *slot(%rip)" is ff 25 and the distance from the next instruction. */
static int add_x86(const struct elf_plt *p, struct slots *s, struct table *t,
		   struct strings *strings)
{
	const size_t entry =
		p->entry_size >= 8 && p->entry_size <= 64 ? p->entry_size : 16;

	for (size_t i = 0; i + 6 <= p->size; i++) {
		if (p->bytes[i] != 0xff || p->bytes[i + 1] != 0x25)
			continue;

		const int32_t distance = bytes_get32(p->bytes + i + 2);
		const struct elf_slot *const slot =
			find(s, p->address + i + 6 + (int64_t)distance);

		if (slot && add(p, i - i % entry, entry, slot, t, strings))
			return -1;
	}
	return 0;
}

/* arm64: "adrp x16, page; ldr x17, [x16, #offset]", after "bti c" perhaps. */
static int add_arm64(const struct elf_plt *p, struct slots *s, struct table *t,
		     struct strings *strings)
{
	for (size_t i = 0; i + 8 <= p->size; i += 4) {
		const uint32_t adrp = bytes_get32(p->bytes + i);
		const uint32_t ldr = bytes_get32(p->bytes + i + 4);

		if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
			continue;

		/* The number of pages has its low bits at 29, the others at 5. */
		const int32_t pages =
			(int32_t)((adrp >> 5 & 0x7ffff) << 13 | (adrp >> 29 & 3) << 11) >>
			11;
		const uint64_t page =
			((p->address + i) & ~(uint64_t)0xfff) + ((int64_t)pages << 12);
		const struct elf_slot *const slot =
			find(s, page + (ldr >> 10 & 0xfff) * 8);
		const int is_bti = i >= 4 && bytes_get32(p->bytes + i - 4) == 0xd503245f;

		if (slot && add(p, i - 4 * is_bti, 16 + 4 * is_bti, slot, t, strings))
			return -1;
	}
	return 0;
}

int plt_add(const struct elf_file *f, struct table *t, struct strings *strings)
{
	struct slots s = {.n = f->nslots};
	int result = 0;

	if (!f->nslots || (f->machine != EM_X86_64 && f->machine != EM_AARCH64))
		return 0;
	s.list = calloc(s.n, sizeof(*s.list));
	if (!s.list)
		return -1;
	memcpy(s.list, f->slots, s.n * sizeof(*s.list));
	qsort(s.list, s.n, sizeof(*s.list), compare);
	for (size_t i = 0; i < f->nplts && !result; i++)
		result = f->machine == EM_X86_64 ? add_x86(&f->plts[i], &s, t, strings)
						 : add_arm64(&f->plts[i], &s, t, strings);
	free(s.list);
	return result;
}
