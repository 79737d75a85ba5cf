#include "suite/profile/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "suite/profile/intern.h"
#include "suite/profile/names.h"
#include "suite/profile/stacks.h"

/*
 * Source: speedscope's file-format-schema.json. A frame is told apart by its name and its
 * file, which are joined by a line break here.
 */
static size_t frame_number(struct intern *frames, const struct symbols_frame *f)
{
	struct textbuf b = {0};

	names_function(&b, f);
	textbuf_char(&b, '\n');
	textbuf_str(&b, f->file ? f->file : "");
	return intern_text(frames, &b);
}

static size_t module_number(struct intern *frames, const char *module)
{
	struct textbuf b = {0};

	textbuf_str(&b, names_module(module));
	textbuf_char(&b, '\n');
	return intern_text(frames, &b);
}

/* Append the numbers of the frames of a stack, the outermost first. */
static void put_stack(struct textbuf *b, const struct profile *p,
		      const struct profile_code *c, struct intern *frames)
{
	const struct symbols_frame *f = profile_frames(p, c);

	textbuf_char(b, '[');
	textbuf_num(b, module_number(frames, f->module), 0);
	for (unsigned i = c->nframe; i-- > 0;) {
		textbuf_char(b, ',');
		textbuf_num(b, frame_number(frames, &f[i]), 0);
	}
	textbuf_char(b, ']');
}

static void put_frame(struct textbuf *b, char *text)
{
	char *file = strrchr(text, '\n');

	*file = '\0';
	textbuf_str(b, "{\"name\":");
	quote_json(b, text);
	if (file[1])
		quote_json_text(b, "file", file + 1);
	textbuf_char(b, '}');
	*file = '\n';
}

static void put_profile(struct textbuf *b, const struct profile *p, unsigned metric,
			const struct stacks *s, struct intern *frames)
{
	struct textbuf name = {0}, weights = {0};
	const char *comma = "";

	export_metric_name(&name, p, metric);
	char *text = textbuf_end(&name);

	textbuf_str(b, "{\"type\":\"sampled\",\"name\":");
	quote_json(b, text);
	textbuf_str(b, ",\"unit\":\"none\",\"startValue\":0,\"endValue\":");
	textbuf_num(b, p->metric[metric].total, 0);
	textbuf_str(b, ",\"samples\":[");
	for (size_t i = 0; i < s->n; i++) {
		if (!s->stack[i].value[metric])
			continue;
		textbuf_str(b, comma);
		put_stack(b, p, s->stack[i].code, frames);
		textbuf_str(&weights, comma);
		textbuf_num(&weights, s->stack[i].value[metric], 0);
		comma = ",";
	}
	textbuf_str(b, "],\"weights\":[");
	textbuf_put(b, weights.s ? weights.s : "", weights.len);
	textbuf_str(b, "]}");
	b->failed |= !text || weights.failed;
	free(text);
	free(weights.s);
}

int export_speedscope(struct textbuf *b, const struct profile *p)
{
	struct intern frames = {0};
	struct stacks s;
	const char *comma = "";

	if (stacks_make(&s, p) == -1)
		return -1;
	textbuf_str(b,
		    "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\""
		    ",\"exporter\":\"lwprec " VERSION "\",\"profiles\":[");
	for (unsigned m = 0; m < p->nmetric; m++) {
		if (p->metric[m].covered)
			continue;
		textbuf_str(b, comma);
		put_profile(b, p, m, &s, &frames);
		comma = ",";
	}
	textbuf_str(b, "],\"shared\":{\"frames\":[");
	for (size_t i = 0; i < frames.n; i++) {
		textbuf_str(b, i ? "," : "");
		put_frame(b, frames.string[i]);
	}
	textbuf_str(b, "]}}\n");
	b->failed |= frames.failed;
	intern_free(&frames);
	stacks_free(&s);
	if (b->failed)
		errno = ENOMEM;
	return b->failed ? -1 : 0;
}
