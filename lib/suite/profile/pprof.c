#include "suite/profile/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "suite/profile/intern.h"
#include "suite/profile/names.h"
#include "suite/profile/report.h"

/* Numbers of fields. Source: profile.proto of github.com/google/pprof */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE,
	PROFILE_MAPPING,
	PROFILE_LOCATION,
	PROFILE_FUNCTION,
	PROFILE_STRING,
	PROFILE_TIME_NANOS = 9,
	PROFILE_COMMENT = 13
};
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE };
enum {
	MAPPING_ID = 1,
	MAPPING_START,
	MAPPING_LIMIT,
	MAPPING_OFFSET,
	MAPPING_FILE,
	MAPPING_BUILD_ID,
	MAPPING_HAS_FUNCTIONS,
	MAPPING_HAS_FILES,
	MAPPING_HAS_LINES,
	MAPPING_HAS_INLINES
};
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE };

/* Wire types. Source: Protocol Buffers, Encoding */
enum { VARINT = 0, BYTES = 2 };

struct writer {
	struct textbuf *b;
	const struct profile *p;
	struct intern strings;
	struct intern functions; /* "name\nfile" */
	size_t *first_mapping;	 /* number of the mappings of earlier inputs */
};

static void put_varint(struct textbuf *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		textbuf_char(b, (char)(v | 0x80));
	textbuf_char(b, (char)v);
}

static void put_number(struct textbuf *b, unsigned field, uint64_t v)
{
	put_varint(b, field << 3 | VARINT);
	put_varint(b, v);
}

static void put_bytes(struct textbuf *b, unsigned field, const char *s, size_t n)
{
	put_varint(b, field << 3 | BYTES);
	put_varint(b, n);
	textbuf_put(b, s, n);
}

/* Append a message, and make it empty for the next. */
static void put_message(struct textbuf *b, unsigned field, struct textbuf *message)
{
	put_bytes(b, field, message->s ? message->s : "", message->len);
	b->failed |= message->failed;
	message->len = 0;
}

/* Strings of protocol buffers are UTF-8. */
static size_t string_number(struct writer *w, const char *s)
{
	struct textbuf clean = {0};

	textbuf_clean(&clean, s);
	return intern_text(&w->strings, &clean);
}

static void put_types(struct writer *w)
{
	for (unsigned m = 0; m < w->p->nmetric; m++) {
		struct textbuf type = {0}, name = {0};

		if (w->p->metric[m].covered)
			continue;
		export_metric_name(&name, w->p, m);
		put_number(&type, TYPE_TYPE, intern_text(&w->strings, &name));
		put_number(&type, TYPE_UNIT, string_number(w, "count"));
		put_message(w->b, PROFILE_SAMPLE_TYPE, &type);
		free(type.s);
	}
}

/* The location of code i has the number i + 1. */
static void put_samples(struct writer *w)
{
	struct textbuf sample = {0}, values = {0};

	for (size_t i = 0; i < w->p->ncode; i++) {
		const uint64_t *value = profile_values(w->p, i);
		uint64_t any = 0;

		values.len = 0;
		for (unsigned m = 0; m < w->p->nmetric; m++) {
			if (w->p->metric[m].covered)
				continue;
			put_varint(&values, value[m]);
			any |= value[m];
		}
		if (!any)
			continue;
		put_number(&sample, SAMPLE_LOCATION, i + 1);
		put_message(&sample, SAMPLE_VALUE, &values);
		put_message(w->b, PROFILE_SAMPLE, &sample);
	}
	free(sample.s);
	free(values.s);
}

static void put_build_id(struct writer *w, struct textbuf *b,
			 const struct recording_mapping *m)
{
	static const char hex[] = "0123456789abcdef";
	struct textbuf text = {0};

	for (size_t i = 0; m->build_id && i < m->build_id_size; i++) {
		textbuf_char(&text, hex[m->build_id[i] >> 4]);
		textbuf_char(&text, hex[m->build_id[i] & 15]);
	}
	put_number(b, MAPPING_BUILD_ID, intern_text(&w->strings, &text));
}

static void put_mapping(struct writer *w, size_t id, const struct recording_mapping *m)
{
	struct textbuf b = {0};

	put_number(&b, MAPPING_ID, id);
	put_number(&b, MAPPING_START, m->start);
	put_number(&b, MAPPING_LIMIT, m->end);
	put_number(&b, MAPPING_OFFSET, m->offset);
	put_number(&b, MAPPING_FILE, string_number(w, m->path ? m->path : "//anon"));
	put_build_id(w, &b, m);
	/* All names that can be known are in the file: readers look up none. */
	put_number(&b, MAPPING_HAS_FUNCTIONS, 1);
	put_number(&b, MAPPING_HAS_FILES, 1);
	put_number(&b, MAPPING_HAS_LINES, 1);
	put_number(&b, MAPPING_HAS_INLINES, 1);
	put_message(w->b, PROFILE_MAPPING, &b);
	free(b.s);
}

/* The mappings have numbers from 1 on. */
static void put_mappings(struct writer *w)
{
	size_t id = 0;

	for (size_t i = 0; i < w->p->ninput; i++) {
		const struct recording *r = w->p->input[i].recording;

		w->first_mapping[i] = id;
		for (size_t k = 0; k < r->nmapping; k++)
			put_mapping(w, ++id, &r->mapping[k]);
	}
}

/* Return the number of the mapping that has an instruction, or 0. */
static size_t mapping_number(const struct writer *w, const struct profile_code *c)
{
	const struct recording *r = w->p->input[c->input].recording;
	const struct recording_mapping *m = names_mapping(r, c->ip);

	return m ? w->first_mapping[c->input] + (size_t)(m - r->mapping) + 1 : 0;
}

static size_t function_number(struct writer *w, const struct symbols_frame *f)
{
	struct textbuf b = {0};

	names_function(&b, f);
	textbuf_char(&b, '\n');
	textbuf_str(&b, f->file ? f->file : "");
	return intern_text(&w->functions, &b) + 1;
}

static void put_locations(struct writer *w)
{
	struct textbuf b = {0}, line = {0};

	for (size_t i = 0; i < w->p->ncode; i++) {
		const struct profile_code *c = &w->p->code[i];
		const struct symbols_frame *f = profile_frames(w->p, c);

		put_number(&b, LOCATION_ID, i + 1);
		put_number(&b, LOCATION_MAPPING, mapping_number(w, c));
		put_number(&b, LOCATION_ADDRESS, c->ip);
		for (unsigned k = 0; k < c->nframe; k++) {
			put_number(&line, LINE_FUNCTION, function_number(w, &f[k]));
			put_number(&line, LINE_LINE, f[k].line);
			put_message(&b, LOCATION_LINE, &line);
		}
		put_message(w->b, PROFILE_LOCATION, &b);
	}
	free(b.s);
	free(line.s);
}

static void put_functions(struct writer *w)
{
	struct textbuf b = {0};

	for (size_t i = 0; i < w->functions.n; i++) {
		char *file = strrchr(w->functions.string[i], '\n');

		*file = '\0';
		const size_t name = string_number(w, w->functions.string[i]);

		put_number(&b, FUNCTION_ID, i + 1);
		put_number(&b, FUNCTION_NAME, name);
		put_number(&b, FUNCTION_SYSTEM_NAME, name);
		put_number(&b, FUNCTION_FILE, string_number(w, file + 1));
		put_message(w->b, PROFILE_FUNCTION, &b);
	}
	free(b.s);
}

static void put_comments(struct writer *w)
{
	for (unsigned m = 0; m < w->p->nmetric; m++) {
		struct textbuf text = {0};

		if (w->p->metric[m].covered)
			continue;
		export_metric_name(&text, w->p, m);
		textbuf_str(&text, ": ");
		report_put_metric(&text, &w->p->metric[m]);
		put_number(w->b, PROFILE_COMMENT, intern_text(&w->strings, &text));
	}
}

int export_pprof(struct textbuf *b, const struct profile *p)
{
	struct writer w = {.b = b,
			   .p = p,
			   .first_mapping =
				   calloc(p->ninput + 1, sizeof *w.first_mapping)};

	if (!w.first_mapping)
		return -1;
	/* The first string is empty. */
	intern(&w.strings, "");
	put_types(&w);
	put_samples(&w);
	put_mappings(&w);
	put_locations(&w);
	put_functions(&w);
	if (p->ninput && p->input[0].recording->unix_ns)
		put_number(b, PROFILE_TIME_NANOS, p->input[0].recording->unix_ns);
	put_comments(&w);
	for (size_t i = 0; i < w.strings.n; i++)
		put_bytes(b, PROFILE_STRING, w.strings.string[i],
			  strlen(w.strings.string[i]));
	b->failed |= w.strings.failed | w.functions.failed;
	intern_free(&w.strings);
	intern_free(&w.functions);
	free(w.first_mapping);
	if (b->failed)
		errno = ENOMEM;
	return b->failed ? -1 : 0;
}
