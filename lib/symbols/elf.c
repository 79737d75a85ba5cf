#include "symbols/elf.h"

#include <endian.h>
#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* A file that is being read. */
struct reader {
	Elf *elf;
	struct elf_file *file;
	struct table *table;
	struct strings *strings;
	GElf_Shdr *sections;
	size_t nsections, nrelocations;
	size_t dynsym;	  /* index of the section */
	const char *unit; /* of the local symbols that follow, or NULL */
	char *dynamic_names;
	size_t dynamic_names_size;
};

static int malformed(void)
{
	errno = ENOEXEC;
	return -1;
}

static int read_segments(struct reader *r)
{
	struct elf_file *const f = r->file;
	size_t n;
	GElf_Phdr p;

	if (elf_getphdrnum(r->elf, &n))
		return malformed();
	for (size_t i = 0; i < n && gelf_getphdr(r->elf, i, &p); i++) {
		if (p.p_type != PT_LOAD)
			continue;
		if (array_grow(&f->segments, f->nsegments, sizeof(*f->segments)))
			return -1;
		f->segments[f->nsegments++] = (struct elf_segment){p.p_offset, p.p_filesz,
								   p.p_vaddr, p.p_memsz};
	}
	return 0;
}

/* Copy the section headers. A file may have none. */
static int read_sections(struct reader *r)
{
	size_t n;

	if (elf_getshdrnum(r->elf, &n))
		return malformed();
	r->sections = calloc(n + 1, sizeof(*r->sections));
	if (!r->sections)
		return -1;
	r->nsections = n;
	for (size_t i = 0; i < n; i++) {
		Elf_Scn *const s = elf_getscn(r->elf, i);

		if (s && !gelf_getshdr(s, &r->sections[i]))
			r->sections[i] = (GElf_Shdr){0};
	}
	return 0;
}

/* Return the bytes of section i, which is not compressed, or NULL. */
static Elf_Data *section_data(struct reader *r, size_t i)
{
	Elf_Scn *const s = elf_getscn(r->elf, i);

	if (!s || r->sections[i].sh_type == SHT_NOBITS ||
	    r->sections[i].sh_flags & SHF_COMPRESSED)
		return NULL;

	Elf_Data *const d = elf_getdata(s, NULL);

	return d && d->d_buf && d->d_size ? d : NULL;
}

static void read_id(struct reader *r, Elf_Data *d)
{
	GElf_Nhdr n;
	size_t name, desc;

	for (size_t at = 0; (at = gelf_getnote(d, at, &n, &name, &desc)) > 0;) {
		const char *const bytes = d->d_buf;

		if (n.n_type != NT_GNU_BUILD_ID || n.n_namesz != sizeof(ELF_NOTE_GNU) ||
		    memcmp(bytes + name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) != 0 ||
		    !n.n_descsz || n.n_descsz > BUILD_ID_MAX)
			continue;
		r->file->id.size = n.n_descsz;
		memcpy(r->file->id.bytes, bytes + desc, n.n_descsz);
		return;
	}
}

/* Read the build id from the notes of a file without section headers. */
static void read_id_of_segments(struct reader *r)
{
	size_t n;
	GElf_Phdr p;

	if (elf_getphdrnum(r->elf, &n))
		return;
	for (size_t i = 0; i < n && !r->file->id.size && gelf_getphdr(r->elf, i, &p);
	     i++) {
		Elf_Data *const d =
			p.p_type != PT_NOTE
				? NULL
				: elf_getdata_rawchunk(r->elf, p.p_offset, p.p_filesz,
						       p.p_align == 8 ? ELF_T_NHDR8
								      : ELF_T_NHDR);

		if (d)
			read_id(r, d);
	}
}

/*
 * Cut the version from a name such as "memcpy@@GLIBC_2.14". Names of Go may have a "@"
 * before a '/'.
 */
static void cut_version(char *name)
{
	char *const at = strchr(name, '@');

	if (at && at != name && !strchr(at, '/'))
		*at = '\0';
}

/* Fill kind and binding. Returns 0 if the symbol is none that we show. */
static int classify(const GElf_Sym *y, const GElf_Shdr *section, const char *name,
		    struct symbol *s)
{
	const int binding = GELF_ST_BIND(y->st_info);

	switch (GELF_ST_TYPE(y->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
		s->kind = SYMBOL_FUNCTION;
		s->is_indirect = GELF_ST_TYPE(y->st_info) == STT_GNU_IFUNC;
		break;
	case STT_OBJECT:
	case STT_COMMON:
		if (section->sh_flags & SHF_TLS)
			return 0;
		s->kind = SYMBOL_OBJECT;
		break;
	case STT_TLS:
		s->kind = SYMBOL_THREAD_LOCAL;
		break;
	case STT_NOTYPE:
		/* Of assembly; names such as "$x" mark code and data on some machines. */
		if (!(section->sh_flags & SHF_EXECINSTR) || *name == '$' || *name == '.')
			return 0;
		s->kind = SYMBOL_LABEL;
		break;
	default:
		return 0;
	}
	s->binding = binding == STB_LOCAL  ? SYMBOL_LOCAL
		     : binding == STB_WEAK ? SYMBOL_WEAK
					   : SYMBOL_GLOBAL;
	return 1;
}

/*
 * Follow the names of source files, each of which stands before the local symbols of its
 * file. The linker's own local symbols have an empty name before them, or none.
 */
static void follow_unit(struct reader *r, const GElf_Sym *y, const char *names,
			size_t size)
{
	if (GELF_ST_TYPE(y->st_info) != STT_FILE)
		return;
	r->unit = y->st_name && y->st_name < size ? names + y->st_name : NULL;
}

static int add_symbol(struct reader *r, const GElf_Sym *y, size_t index, char *names,
		      size_t size)
{
	/* Index 0 is SHN_UNDEF. Absolute symbols and such have higher indices. */
	if (!index || index >= r->nsections || !y->st_name || y->st_name >= size)
		return 0;

	const GElf_Shdr *const section = &r->sections[index];
	char *const name = names + y->st_name;
	struct symbol s = {
		.start = y->st_value,
		.size = y->st_size,
		.limit = section->sh_addr + section->sh_size,
		.name = name,
	};

	if (!*name || !(section->sh_flags & SHF_ALLOC) ||
	    !classify(y, section, name, &s) || (!s.size && s.start >= s.limit))
		return 0;
	if (s.binding == SYMBOL_LOCAL)
		s.unit = r->unit;
	cut_version(name);
	return table_add(r->table, &s);
}

/* Read the symbols of section i, a symbol table. */
static int read_symbols(struct reader *r, size_t i)
{
	const GElf_Shdr *const h = &r->sections[i];
	Elf_Data *const d = section_data(r, i);
	Elf_Data *const s =
		h->sh_link < r->nsections ? section_data(r, h->sh_link) : NULL;
	Elf_Data *extended = NULL;

	if (!d || !s || d->d_type != ELF_T_SYM)
		return 0;
	for (size_t k = 0; k < r->nsections; k++)
		if (r->sections[k].sh_type == SHT_SYMTAB_SHNDX &&
		    r->sections[k].sh_link == i)
			extended = section_data(r, k);

	char *const names = strings_copy(r->strings, s->d_buf, s->d_size);
	const size_t size = gelf_fsize(r->elf, ELF_T_SYM, 1, EV_CURRENT);

	if (!names)
		return -1;
	if (i == r->dynsym) {
		r->dynamic_names = names;
		r->dynamic_names_size = s->d_size;
	}
	r->unit = NULL;
	for (size_t k = 1; size && k < d->d_size / size; k++) {
		GElf_Sym y;
		Elf32_Word index = 0;

		if (!gelf_getsymshndx(d, extended, k, &y, &index))
			break;
		if (y.st_shndx != SHN_XINDEX)
			index = y.st_shndx;
		follow_unit(r, &y, names, s->d_size);
		if (add_symbol(r, &y, index, names, s->d_size))
			return -1;
	}
	return 0;
}

/* Section .gnu_debuglink: the name, zeros up to a multiple of 4, and the CRC. */
static int read_debuglink(struct reader *r, const Elf_Data *d)
{
	const size_t length = strnlen(d->d_buf, d->d_size);
	const size_t at = (length + 4) & ~(size_t)3;
	uint32_t crc;

	if (!length || at + 4 > d->d_size || r->file->debuglink)
		return 0;
	memcpy(&crc, (const char *)d->d_buf + at, sizeof(crc));
	r->file->debuglink_crc = elf_getident(r->elf, NULL)[EI_DATA] == ELFDATA2MSB
					 ? be32toh(crc)
					 : le32toh(crc);
	r->file->debuglink = strndup(d->d_buf, length);
	return r->file->debuglink ? 0 : -1;
}

static int read_debugdata(struct reader *r, const Elf_Data *d)
{
	if (r->file->debugdata)
		return 0;
	r->file->debugdata = malloc(d->d_size);
	if (!r->file->debugdata)
		return -1;
	memcpy(r->file->debugdata, d->d_buf, d->d_size);
	r->file->debugdata_size = d->d_size;
	return 0;
}

/* Copy a section of code by which functions of other files are called. */
static int read_plt(struct reader *r, size_t i)
{
	struct elf_file *const f = r->file;
	const GElf_Shdr *const h = &r->sections[i];
	const Elf_Data *const d = section_data(r, i);
	struct elf_plt plt = {.address = h->sh_addr, .entry_size = h->sh_entsize};

	/* A file has at most ".plt", ".plt.sec", ".plt.got" and ".iplt". */
	if (!d || !(h->sh_flags & SHF_EXECINSTR) || f->nplts >= 4)
		return 0;
	plt.bytes = malloc(d->d_size);
	if (!plt.bytes || array_grow(&f->plts, f->nplts, sizeof(*f->plts))) {
		free(plt.bytes);
		return -1;
	}
	memcpy(plt.bytes, d->d_buf, d->d_size);
	plt.size = d->d_size;
	f->plts[f->nplts++] = plt;
	return 0;
}

/* Return the name of a symbol of the dynamic table, or NULL. */
static const char *dynamic_name(struct reader *r, Elf_Data *symbols, size_t i)
{
	GElf_Sym y;

	if (!i || !symbols || !gelf_getsym(symbols, i, &y) || !y.st_name ||
	    y.st_name >= r->dynamic_names_size)
		return NULL;
	return r->dynamic_names + y.st_name;
}

/* Read the words that the dynamic linker fills, from section i. */
static int read_slots(struct reader *r, size_t i)
{
	struct elf_file *const f = r->file;
	Elf_Data *const d = section_data(r, i);
	Elf_Data *const symbols = r->dynsym ? section_data(r, r->dynsym) : NULL;
	const size_t size = gelf_fsize(r->elf, ELF_T_RELA, 1, EV_CURRENT);

	/* Files without program headers are objects, whose words are not known yet. */
	if (!d || d->d_type != ELF_T_RELA || !f->nsegments || !size)
		return 0;
	for (size_t k = 0; k < d->d_size / size; k++) {
		GElf_Rela a;

		if (!gelf_getrela(d, k, &a))
			break;

		const int is_indirect = GELF_R_TYPE(a.r_info) == R_X86_64_IRELATIVE ||
					GELF_R_TYPE(a.r_info) == R_AARCH64_IRELATIVE;
		struct elf_slot slot = {
			.address = a.r_offset,
			.target = is_indirect ? a.r_addend : 0,
			.name = dynamic_name(r, symbols, GELF_R_SYM(a.r_info)),
		};

		if (!slot.name && !slot.target)
			continue;
		if (array_grow(&f->slots, f->nslots, sizeof(slot)))
			return -1;
		f->slots[f->nslots++] = slot;
	}
	return 0;
}

static int read_named_section(struct reader *r, size_t i, const char *name)
{
	const int is_info = !strcmp(name, ".debug_info") || !strcmp(name, ".zdebug_info");

	if (!strncmp(name, ".plt", 4) || !strcmp(name, ".iplt"))
		return read_plt(r, i);
	if (is_info && r->sections[i].sh_type != SHT_NOBITS)
		r->file->has_dwarf = 1;
	if (strcmp(name, ".gnu_debuglink") != 0 && strcmp(name, ".gnu_debugdata") != 0)
		return 0;

	const Elf_Data *const d = section_data(r, i);

	if (!d)
		return 0;
	return name[10] == 'l' ? read_debuglink(r, d) : read_debugdata(r, d);
}

static int read_section(struct reader *r, size_t i, size_t names)
{
	const char *const name = elf_strptr(r->elf, names, r->sections[i].sh_name);
	Elf_Data *d;

	switch (r->sections[i].sh_type) {
	/* A file has one table of each type; with more, it could grow without bound. */
	case SHT_SYMTAB:
		return r->file->has_symtab++ ? 0 : read_symbols(r, i);
	case SHT_DYNSYM:
		if (r->dynsym)
			return 0;
		r->dynsym = i;
		return read_symbols(r, i);
	case SHT_RELA:
		if (!(r->sections[i].sh_flags & SHF_ALLOC) || r->nrelocations++ >= 4)
			return 0;
		return read_slots(r, i);
	case SHT_NOTE:
		d = r->file->id.size ? NULL : section_data(r, i);
		if (d)
			read_id(r, d);
		return 0;
	default:
		return name ? read_named_section(r, i, name) : 0;
	}
}

static int read_all(struct reader *r)
{
	GElf_Ehdr header;
	size_t names;

	/* libelf tells errors of its own numbers, but leaves errno of malloc(3). */
	if (!r->elf && errno == ENOMEM)
		return -1;
	if (!r->elf || elf_kind(r->elf) != ELF_K_ELF)
		return malformed();
	if (gelf_getehdr(r->elf, &header))
		r->file->machine = header.e_machine;
	if (read_segments(r) || read_sections(r))
		return -1;
	if (elf_getshdrstrndx(r->elf, &names))
		names = 0;
	for (size_t i = 1; i < r->nsections; i++)
		if (read_section(r, i, names))
			return -1;
	if (!r->file->id.size)
		read_id_of_segments(r);
	return 0;
}

static int read_and_close(struct reader *r)
{
	const int result = read_all(r);

	free(r->sections);
	elf_end(r->elf);
	return result;
}

int elf_file_read(int fd, struct elf_file *f, struct table *t, struct strings *strings)
{
	struct reader r = {.file = f, .table = t, .strings = strings};

	elf_version(EV_CURRENT);
	errno = 0;
	r.elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	return read_and_close(&r);
}

int elf_file_read_memory(void *bytes, size_t size, struct elf_file *f, struct table *t,
			 struct strings *strings)
{
	struct reader r = {.file = f, .table = t, .strings = strings};

	elf_version(EV_CURRENT);
	errno = 0;
	r.elf = elf_memory(bytes, size);
	return read_and_close(&r);
}

int elf_file_address(const struct elf_file *f, uint64_t offset, uint64_t *address)
{
	for (size_t i = 0; i < f->nsegments; i++) {
		const struct elf_segment *const s = &f->segments[i];

		if (offset - s->offset < s->filesz) {
			*address = s->vaddr + (offset - s->offset);
			return 0;
		}
	}
	return -1;
}

const struct elf_segment *elf_file_segment(const struct elf_file *f, uint64_t address)
{
	for (size_t i = 0; i < f->nsegments; i++)
		if (address - f->segments[i].vaddr < f->segments[i].memsz)
			return &f->segments[i];
	return NULL;
}

void elf_file_free(struct elf_file *f)
{
	for (size_t i = 0; i < f->nplts; i++)
		free(f->plts[i].bytes);
	free(f->plts);
	free(f->slots);
	free(f->segments);
	free(f->debuglink);
	free(f->debugdata);
	*f = (struct elf_file){0};
}
