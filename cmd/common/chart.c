#include "chart.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>

#include "screen.h"
#include "status.h"
#include "suite/screen/chart_text.h"

static int draw(void *arg, const struct chart *c, int last)
{
	struct screen *s = arg;
	struct textbuf b = {0};

	if (!s->terminal && !last && !c->failed)
		return 0;
	screen_measure(s);
	chart_text(&b, c, &s->frame, s->utf8);
	char *text = textbuf_end(&b);
	const int rc = last || !text ? screen_end(s, text) : screen_draw(s, text);
	free(text);
	return rc;
}

struct sink *chart_sink(enum row_scope scope, int pids, struct screen *screen)
{
	const struct chart_output out = {screen, draw};
	struct sink *sink = chart_new(scope, pids, out);

	if (!sink)
		err(EXIT_TOOL, "cannot prepare the chart");
	return sink;
}

void chart_resize(void *sink)
{
	chart_redraw(sink);
}

void chart_check(const struct options_shared *o)
{
	if (o->format != TEXT_PLAIN)
		options_bad_long(o->command,
				 "--chart is text for people, and --format=%s is for "
				 "programs; choose one of them",
				 o->format == TEXT_CSV ? "csv" : "json");
	if (o->summary)
		options_bad_long(o->command, "--chart and --summary both take the place "
					     "of rows; choose one of them");
}
