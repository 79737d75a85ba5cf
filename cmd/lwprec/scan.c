/* lwprec scan: the LWP instructions of a program. */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "commands.h"
#include "common/message.h"
#include "common/options.h"
#include "common/out.h"
#include "common/status.h"
#include "lwp/sites.h"
#include "options_table.h"
#include "symbols/symbols.h"

static const struct options_command *const command = &lwprec_scan;

struct scan {
	struct options_shared shared;
	int mangled;
	int shows_file; /* text has the name of the file in each line */
	int failed;	/* a file could not be read */
	struct textbuf out;
};

/* A file that is scanned, in memory. */
struct binary {
	const char *name;
	void *bytes;
	size_t size;
	struct symbols *symbols;
};

static int map_file(struct binary *b)
{
	const int fd = open(b->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	int error = 0;

	if (fd == -1)
		return -1;
	b->bytes = MAP_FAILED;
	if (fstat(fd, &st) != 0)
		error = errno;
	else if (!S_ISREG(st.st_mode) || st.st_size == 0)
		error = S_ISDIR(st.st_mode) ? EISDIR : ENOEXEC;
	if (!error) {
		b->size = (size_t)st.st_size;
		b->bytes = mmap(NULL, b->size, PROT_READ, MAP_PRIVATE, fd, 0);
		error = errno;
	}
	close(fd);
	errno = error;
	return b->bytes == MAP_FAILED ? -1 : 0;
}

/* Makes an address space in which offsets in the file are the addresses. */
static void open_symbols(struct binary *b, const struct scan *s)
{
	const struct symbols_options options = {.lines = symbols_lines,
						.mangled = s->mangled};
	char *path = realpath(b->name, NULL);
	const struct symbols_mapping all = {.end = b->size, .path = path};

	b->symbols = symbols_new(&options);
	if (!path || !b->symbols || symbols_map(b->symbols, &all) != 0)
		err(EXIT_TOOL, "cannot read the symbols of %s", b->name);
	free(path);
}

/* Returns whether a frame is a function of the compiler that makes one instruction. */
static int is_intrinsic(const struct symbols_frame *f)
{
	const char *slash = f->file ? strrchr(f->file, '/') : NULL;

	return f->inlined && slash && strcmp(slash, "/lwpintrin.h") == 0;
}

/* Fills *frame for a site; its members are NULL if nothing is known. */
static void name_site(const struct binary *b, const struct site *site,
		      struct symbols_frame *frame)
{
	struct symbols_frame all[16];
	const unsigned n = symbols_code(b->symbols, site->offset, all, 16);
	const unsigned first = n > 1 && is_intrinsic(&all[0]);

	*frame = (struct symbols_frame){0};
	if (n && all[first].function)
		*frame = all[first];
}

static void write_plain(struct scan *s, const char *file, const struct site *site,
			const char *instruction, const struct symbols_frame *f)
{
	struct textbuf *b = &s->out;
	char padded[96];

	if (s->shows_file) {
		textbuf_clean(b, file);
		textbuf_str(b, ": ");
	}
	textbuf_format(b, "0x%016" PRIx64 "  ", site->address);
	snprintf(padded, sizeof padded, "%-36s  ", instruction);
	textbuf_str(b, padded);
	textbuf_clean(b, f->function	  ? f->function
			 : *site->section ? site->section
					  : "-");
	if (f->function)
		textbuf_format(b, "+0x%" PRIx64, f->offset);
	if (f->file) {
		textbuf_str(b, "  ");
		textbuf_clean(b, f->file);
		textbuf_format(b, ":%u", f->line);
	}
	textbuf_char(b, '\n');
}

static void write_csv(struct textbuf *b, const char *file, const struct site *site,
		      const char *instruction, const struct symbols_frame *f)
{
	quote_csv_text(b, file);
	textbuf_format(b, "0x%" PRIx64 ",", site->address);
	textbuf_format(b, "0x%" PRIx64 ",", site->offset);
	quote_csv_text(b, *site->section ? site->section : NULL);
	quote_csv_text(b, instruction);
	quote_csv_text(b, f->function);
	quote_csv_number(b, f->function != NULL, f->offset);
	quote_csv_text(b, f->file);
	if (f->line)
		textbuf_num(b, f->line, 0);
	textbuf_char(b, '\n');
}

static void write_json(struct textbuf *b, const char *file, const struct site *site,
		       const char *instruction, const struct symbols_frame *f)
{
	textbuf_char(b, '{');
	quote_json_text(b, "file", file);
	quote_json_number(b, "address", 1, site->address);
	quote_json_number(b, "offset", 1, site->offset);
	quote_json_text(b, "section", *site->section ? site->section : NULL);
	quote_json_text(b, "instruction", instruction);
	quote_json_text(b, "function", f->function);
	quote_json_number(b, "function_offset", f->function != NULL, f->offset);
	quote_json_text(b, "source", f->file);
	quote_json_number(b, "line", f->line != 0, f->line);
	textbuf_str(b, "}\n");
}

static void write_site(struct scan *s, const struct binary *b, const struct site *site)
{
	struct symbols_frame f;
	char text[80];

	name_site(b, site, &f);
	lwp_instruction_text(text, sizeof text, &site->instruction);
	if (s->shared.format == TEXT_CSV)
		write_csv(&s->out, b->name, site, text, &f);
	else if (s->shared.format == TEXT_JSON)
		write_json(&s->out, b->name, site, text, &f);
	else
		write_plain(s, b->name, site, text, &f);
}

static const char *reason(int error)
{
	return error == ENOEXEC	 ? "it is not an ELF file of an x86 processor"
	       : error == EINVAL ? "its table of sections or segments is damaged"
				 : strerror(error);
}

static void scan_file(struct scan *s, const char *name)
{
	struct binary b = {.name = name, .bytes = MAP_FAILED};
	struct sites sites;
	struct site site;
	unsigned n = 0;

	if (map_file(&b) != 0 || sites_begin(&sites, b.bytes, b.size) != 0) {
		warnx("cannot scan %s: %s", name, reason(errno));
		s->failed = 1;
	} else {
		/* Reading symbols takes long, and most files have no site. */
		while (sites_next(&sites, &site)) {
			if (n++ == 0)
				open_symbols(&b, s);
			write_site(s, &b, &site);
		}
		if (n == 0)
			message_notef("%s has no LWP instructions", name);
	}
	symbols_free(b.symbols);
	if (b.bytes != MAP_FAILED)
		munmap(b.bytes, b.size);
}

static void parse(struct scan *s, int argc, char **argv)
{
	int c;

	options_shared_begin(&s->shared, command, argv);
	while ((c = options_read(&s->shared, argc, argv)) != -1) {
		if (c == LWPREC_MANGLED)
			s->mangled = 1;
		else
			options_shared_parse(&s->shared, c);
	}
	if (optind == argc)
		options_bad(command, "give the name of an ELF file");
	s->shows_file = optind + 1 < argc;
}

int command_scan(int argc, char **argv)
{
	struct scan s = {0};

	parse(&s, argc, argv);
	if (s.shared.format == TEXT_CSV)
		textbuf_str(&s.out, "file,address,offset,section,instruction,function,"
				    "function_offset,source,line\n");
	for (int i = optind; i < argc; i++)
		scan_file(&s, argv[i]);
	options_shared_free(&s.shared);
	const int status = out_print(textbuf_end(&s.out));

	return s.failed ? EXIT_TOOL : status;
}
