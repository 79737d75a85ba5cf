#include "caps_table.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/quote.h"

enum kind { NUMBER, YES_NO, WORDS, ADDRESS };

/* A line of the table. */
struct line {
	const char *key, *label;
	enum kind kind;
	int known; /* 0: the register is not known, or means nothing */
	uint64_t value;
};

enum { MAX_LINES = 32 };

struct table {
	struct line line[MAX_LINES];
	unsigned n;
};

int caps_has_lwp(const struct caps *c)
{
	lwp_features_t f;

	lwp_features_decode(&f, &c->cpuid);
	return c->known & CAPS_EXTENDED ? f.has_lwp : f.supported != 0;
}

/* 1: the leaf that describes LWP is there, and not all zeros as without LWP. */
static int is_described(const struct caps *c)
{
	return c->known & CAPS_LWP && (c->cpuid.lwp[1] || c->cpuid.lwp[3]);
}

static void add(struct table *t, const char *key, const char *label, enum kind kind,
		int known, uint64_t value)
{
	t->line[t->n++] = (struct line){key, label, kind, known != 0, value};
}

static void add_presence(struct table *t, const struct caps *c, const lwp_features_t *f)
{
	const int known = c->known & (CAPS_LWP | CAPS_EXTENDED);

	add(t, "processor", "the processor has LWP", YES_NO, known, caps_has_lwp(c));
	add(t, "xsave", "XSAVE can save its state", YES_NO, c->known & CAPS_XSAVE,
	    f->has_xsave);
	add(t, "enabled", "the system has enabled it", YES_NO, c->known & CAPS_LWP,
	    f->enabled);
}

static void add_features(struct table *t, const struct caps *c, const lwp_features_t *f)
{
	const int is = is_described(c);
	const uint32_t record = f->event_size, limit = lwp_latency_limit(f);

	add(t, "version", "version", NUMBER, is, f->version);
	add(t, "supported", "features of the processor", WORDS, is, f->supported);
	add(t, "available", "features that are available", WORDS, is, f->available);
	add(t, "max_event", "greatest id of an event", NUMBER, is, f->max_events);
	add(t, "record_bytes", "bytes of a record", NUMBER, is, record);
	add(t, "ring_min_bytes", "bytes of the smallest ring", NUMBER, is,
	    UINT64_C(32) * f->min_buffer * record);
	add(t, "block_bytes", "bytes of an LWPCB", NUMBER, is, f->block_size);
	add(t, "event_offset", "offset of its intervals", NUMBER, is, f->event_offset);
	add(t, "data_address", "DME records have addresses", YES_NO, is,
	    f->has_data_address);
	add(t, "latency_step", "step of latencies, cycles", NUMBER, is && limit,
	    UINT64_C(1) << f->latency_rounds);
	add(t, "latency_limit", "greatest latency, cycles", NUMBER, is && limit, limit);
	add(t, "filter_latency", "filter by latency", YES_NO, is, f->has_cache_latency);
	add(t, "filter_source", "filter by source of data", YES_NO, is,
	    f->has_cache_levels);
	add(t, "filter_prediction", "filter by branch prediction", YES_NO, is,
	    f->has_branch_prediction);
	add(t, "filter_address", "filter by address", YES_NO, is, f->has_ip_filtering);
}

static void add_state(struct table *t, const struct caps *c, const lwp_features_t *f)
{
	const int is = c->known & CAPS_AREA && f->area_size;

	add(t, "state_bytes", "bytes of its state", NUMBER, is, f->area_size);
	add(t, "state_offset", "offset of its state", NUMBER, is, f->area_offset);
}

static void add_msrs(struct table *t, const struct caps *c)
{
	const int has_cfg = c->known & CAPS_CFG;
	lwp_config_t cfg;

	lwp_config_decode(&cfg, c->cfg);
	add(t, "cfg", "LWP_CFG", ADDRESS, has_cfg, c->cfg);
	add(t, "cfg_available", "features in LWP_CFG", WORDS, has_cfg, cfg.available);
	add(t, "cfg_core", "core id in LWP_CFG", NUMBER, has_cfg, cfg.core);
	add(t, "cfg_vector", "vector in LWP_CFG", NUMBER, has_cfg, cfg.vector);
	add(t, "cbaddr", "LWP_CBADDR", ADDRESS, c->known & CAPS_CBADDR, c->cbaddr);
}

/* Writes a value as text and CSV show it; "" if it is not known. */
static void value_text(char *to, size_t size, const struct line *l)
{
	to[0] = '\0';
	if (!l->known)
		return;
	switch (l->kind) {
	case NUMBER:
		snprintf(to, size, "%" PRIu64, l->value);
		break;
	case YES_NO:
		snprintf(to, size, "%s", l->value ? "yes" : "no");
		break;
	case WORDS:
		lwp_word_format(to, size, LWP_WORD_FLAGS, (uint32_t)l->value);
		break;
	case ADDRESS:
		snprintf(to, size, "0x%" PRIx64, l->value);
		break;
	}
}

static void write_json(struct textbuf *b, const struct table *t)
{
	textbuf_char(b, '{');
	for (unsigned i = 0; i < t->n; i++) {
		const struct line *l = &t->line[i];
		char text[100];

		value_text(text, sizeof text, l);
		if (l->kind == YES_NO) {
			quote_json_key(b, l->key);
			textbuf_str(b, !l->known ? "null" : l->value ? "true" : "false");
		} else if (l->kind == NUMBER) {
			quote_json_number(b, l->key, l->known, l->value);
		} else {
			quote_json_text(b, l->key, l->known ? text : NULL);
		}
	}
	textbuf_str(b, "}\n");
}

static void write_lines(struct textbuf *b, const struct table *t, enum text_format format)
{
	if (format == TEXT_CSV)
		textbuf_str(b, "name,value\n");
	for (unsigned i = 0; i < t->n; i++) {
		const struct line *l = &t->line[i];
		char text[100], line[160];

		/* Text leaves out the values that are not known. */
		if (format == TEXT_PLAIN && !l->known)
			continue;
		value_text(text, sizeof text, l);
		if (format == TEXT_CSV) {
			quote_csv_text(b, l->key);
			quote_csv(b, text);
		} else {
			snprintf(line, sizeof line, "%-28s  %s", l->label, text);
			textbuf_str(b, line);
		}
		textbuf_char(b, '\n');
	}
}

/* Says why LWP does not run on the machine, and what records its events nevertheless. */
static void write_reasons(struct textbuf *b, const struct caps *c,
			  const lwp_features_t *f)
{
	if (!caps_has_lwp(c))
		textbuf_str(
			b, "\nThe processor has no LWP: bit 15 of ECX of CPUID 8000_0001 "
			   "is 0.\n");
	else if (c->known & CAPS_XSAVE && !f->has_xsave)
		textbuf_str(b,
			    "\nThe system cannot enable LWP: bit 30 of EDX of CPUID D is "
			    "0.\n");
	else if (c->known & CAPS_LWP && !f->enabled)
		textbuf_str(
			b,
			"\nThe system has not enabled LWP: bit 62 of XCR0 is 0, as bit "
			"0 of EAX of CPUID 8000_001C says.\n");
	else
		return;
	if (c->is_here)
		textbuf_str(
			b,
			"lwprec record makes the same records here: with --emulate for "
			"programs with LWP\ninstructions, with --engine=sim and -e for "
			"others.\n");
}

void caps_write(struct textbuf *b, const struct caps *c, enum text_format format)
{
	struct table t = {0};
	lwp_features_t f;

	lwp_features_decode(&f, &c->cpuid);
	add_presence(&t, c, &f);
	add_features(&t, c, &f);
	add_state(&t, c, &f);
	add_msrs(&t, c);
	if (format == TEXT_JSON)
		write_json(b, &t);
	else
		write_lines(b, &t, format);
	if (format == TEXT_PLAIN && c->known & (CAPS_LWP | CAPS_EXTENDED))
		write_reasons(b, c, &f);
}
