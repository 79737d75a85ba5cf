#include "suite/profile/names.h"

#include <string.h>

#include "suite/profile/sheet.h"

const char *names_module(const char *path)
{
	if (!path)
		return "[no file]";
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static void put_offset(struct textbuf *b, uint64_t offset)
{
	textbuf_char(b, '+');
	sheet_hex(b, offset);
}

void names_function(struct textbuf *b, const struct symbols_frame *f)
{
	textbuf_str(b, f->function ? f->function : names_module(f->module));
	if (!f->function && f->module)
		textbuf_str(b, " [no symbol]");
}

void names_place(struct textbuf *b, const struct symbols_frame *f)
{
	if (!f->function && !f->module) {
		sheet_hex(b, f->offset);
		return;
	}
	textbuf_str(b, f->function ? f->function : names_module(f->module));
	put_offset(b, f->offset);
}

const char *names_thread(const struct recording *r, pid_t tid)
{
	for (size_t i = 0; i < r->nthread; i++)
		if (r->thread[i].tid == tid)
			return r->thread[i].name;
	return NULL;
}

const struct recording_mapping *names_mapping(const struct recording *r, uint64_t address)
{
	size_t low = 0, high = r->nmapping;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;
		const struct recording_mapping *m = &r->mapping[mid];

		if (address >= m->start && address < m->end)
			return m;
		if (address < m->start)
			high = mid;
		else
			low = mid + 1;
	}
	return NULL;
}

struct names_data names_data(const struct profile_input *input, uint64_t address)
{
	const struct recording_mapping *m = names_mapping(input->recording, address);
	struct symbols_object o;

	if (symbols_data(input->symbols, address, &o) == 0)
		return (struct names_data){o.name, o.module, o.address, o.size};
	if (!m)
		return (struct names_data){.name = "[no file]", .start = address};
	/* In a mapping of a file other addresses may be of a variable. */
	struct names_data d = {.start = m->start};

	if (m->path && *m->path)
		d.name = names_module(m->path);
	if (!d.name || *d.name == '[')
		d.size = m->end - m->start;
	return d;
}

void names_put_data(struct textbuf *b, const struct names_data *d)
{
	if (d->name) {
		textbuf_str(b, d->name);
	} else {
		textbuf_str(b, "anonymous memory at ");
		sheet_hex(b, d->start);
	}
}
