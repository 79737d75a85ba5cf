/*
 * Reports of recordings of any bytes, as lwprec makes them: the last two bytes give the
 * options and the form. JSON is read by jansson, and no text has a character that a
 * terminal obeys. Build with clang -fsanitize=fuzzer,address,undefined and -ljansson.
 */
#include "suite/profile/export.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "fuzz.h"
#include "lwp/recording.h"
#include "suite/profile/html.h"
#include "suite/profile/report.h"

/*
 * Recordings with rings of more bytes than LARGEST are left out: the reports would take
 * long, although the fuzzer has no bytes to fill such rings.
 */
enum { LARGEST = 1 << 20, ROWS = 20, LINE = 64 };

/* jansson has no integers beyond INT64_MAX. */
enum { JSON_FLAGS = JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL };

/* Each line is an object of JSON. */
static void check_json(const char *text, size_t n)
{
	json_error_t e;

	for (const char *end; n > 0; n -= (size_t)(end - text), text = end) {
		const char *const newline = memchr(text, '\n', n);

		check(newline != NULL, "each line has an end");
		end = newline + 1;
		json_t *const line =
			json_loadb(text, (size_t)(newline - text), JSON_FLAGS, &e);
		if (!line)
			fprintf(stderr, "%s: %.*s\n", e.text, (int)(newline - text),
				text);
		check(json_is_object(line), "each line is an object");
		json_decref(line);
	}
}

static void put_report(struct textbuf *b, const struct profile *p, struct report *r,
		       enum text_format format)
{
	r->format = format;
	check(report_put(b, p, r) != -1, "there is enough memory");
	check_printable(b->s, b->len);
	if (format == TEXT_JSON)
		check_json(b->s, b->len);
}

static void put_speedscope(struct textbuf *b, const struct profile *p)
{
	json_error_t e;

	check(export_speedscope(b, p) == 0, "there is enough memory");
	json_t *const whole = json_loadb(b->s, b->len, JSON_FLAGS, &e);
	check(json_is_object(whole), "a file for speedscope is an object");
	json_decref(whole);
}

/* Put the profile in one of eight forms. */
static void put(struct textbuf *b, const struct profile *p, struct report *r,
		unsigned form)
{
	int rc = 0;

	if (form % 8 <= TEXT_JSON)
		put_report(b, p, r, form % 8);
	else if (form % 8 == 3)
		rc = html_put(b, p, r);
	else if (form % 8 == 4)
		rc = p->nmetric ? export_folded(b, p, form / 8 % p->nmetric) : 0;
	else if (form % 8 == 5)
		rc = export_callgrind(b, p);
	else if (form % 8 == 6)
		put_speedscope(b, p);
	else
		rc = export_pprof(b, p);
	check(rc == 0, "there is enough memory");
	if (form % 8 < 6)
		check_printable(b->s, b->len);
}

/* The files of the mappings do not exist below this root. */
static struct symbols *symbols_of(const struct recording *r)
{
	struct symbols *const s =
		symbols_new(&(struct symbols_options){.root = "/dev/null"});

	check(s != NULL, "there is enough memory");
	for (size_t i = 0; i < r->nmapping; i++) {
		const struct symbols_mapping m = {.start = r->mapping[i].start,
						  .end = r->mapping[i].end,
						  .path = r->mapping[i].path};

		check(symbols_map(s, &m) == 0, "there is enough memory");
	}
	return s;
}

static void check_profile(const struct recording *recording, unsigned options,
			  unsigned form)
{
	const struct profile_input input = {"core", recording, symbols_of(recording)};
	const struct profile_options o = {.details = options & 0x7f,
					  .records = options >> 7};
	struct profile *const p = profile_new(&input, 1, &o);

	check(p || errno == E2BIG, "there is enough memory");
	if (p) {
		struct textbuf b = {0};
		struct report r = {.view = report_views,
				   .options = {.top = ROWS, .line_size = LINE}};

		while (report_views[r.nview])
			r.nview++;
		put(&b, p, &r, form);
		free(b.s);
	}
	profile_free(p);
	symbols_free(input.symbols);
}

static int is_large(const struct recording *r)
{
	for (size_t i = 0; i < r->nring; i++) {
		struct recording_view v;

		if (recording_view(r, &r->ring[i], &v) == 0 &&
		    lwp_ring_slots(&v.ring) > LARGEST / LWP_EVENT_SIZE)
			return 1;
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct recording r;
	char why[256];

	if (size < 2 ||
	    recording_read(&r, data, size - 2, NULL, 0, why, sizeof why) == -1)
		return 0;
	if (!is_large(&r))
		check_profile(&r, data[size - 2], data[size - 1]);
	recording_free(&r);
	return 0;
}
