#include "engine/sim/software.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/sim/encode.h"
#include "engine/why.h"
#include "table/table.h"

int sim_software_takes(const struct sim_software *w, const struct engine_request *req)
{
	return w->kernel && req->row && evtab_col(req->row, "sw");
}

void sim_software_close(struct sim_software *w)
{
	if (w->engine)
		w->kernel->close(w->engine);
	w->engine = NULL;
}

void sim_software_drop(struct evsel *s)
{
	s->kernel->drop(s->counted);
	free(s);
}

/* Is the count 0 because the event has no mode to be counted in? Clocks need none. */
static int counts_nothing(const struct evsel *s)
{
	return !s->kernel->words->modes(s->counted) &&
	       s->kernel->source(s->counted) != SOURCE_CLOCK;
}

/*
 * The kernel counts an LWP, in which the simulator and the program run. What the kernel
 * says about the event itself follows.
 */
static void make_note(struct evsel *s)
{
	const char *note = s->kernel->words->note(s->counted);
	const int nothing = counts_nothing(s);

	s->class = s->kernel->class(s->counted);
	if (!nothing && s->class < CPC_APPROXIMATE)
		s->class = CPC_APPROXIMATE;
	snprintf(s->note, sizeof s->note, "%s%s%s",
		 nothing ? "" : "by the kernel: includes the simulator itself",
		 note && !nothing ? "; " : "", note ? note : "");
}

struct evsel *sim_software_encode(struct sim_software *w,
				  const struct engine_request *req, struct why *why)
{
	struct evsel *s = calloc(1, sizeof *s);

	if (!s) {
		why_refuse(why, ENOMEM, "%s: %s", req->name, strerror(ENOMEM));
		return NULL;
	}
	if (!w->engine)
		w->engine = w->kernel->open(why);
	s->kernel = w->kernel;
	s->counted = w->engine ? w->kernel->encode(w->engine, req, why) : NULL;
	if (s->counted) {
		make_note(s);
		return s;
	}
	const int e = errno;
	free(s);
	errno = e;
	return NULL;
}

int sim_software_probe(const struct sim_software *w, const struct evsel *s,
		       struct why *why)
{
	return s->kernel ? s->kernel->probe(w->engine, s->counted, 0, why) : 0;
}

unsigned sim_software_descriptors(const struct evsel *const *sel, unsigned n)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < n; i++) {
		const struct evsel *counted = sel[i]->counted;

		if (counted)
			sum += sel[i]->kernel->descriptors(&counted, 1);
	}
	return sum;
}

static unsigned count_software(const struct evsel *const *sel, unsigned n)
{
	unsigned software = 0;

	for (unsigned i = 0; i < n; i++)
		software += sel[i]->counted != NULL;
	return software;
}

int sim_software_bind(const struct sim_software *w, struct sim_software_group *g,
		      const struct target *t, const struct evsel *const *sel, unsigned n,
		      struct why *why)
{
	unsigned k = 0;

	*g = (struct sim_software_group){.n = count_software(sel, n)};
	if (!g->n)
		return 0;
	g->sel = calloc(g->n, sizeof *g->sel);
	if (!g->sel)
		return why_refuse(why, ENOMEM, "cannot count LWP %d: %s", (int)t->tid,
				  strerror(ENOMEM));
	for (unsigned i = 0; i < n; i++)
		if (sel[i]->counted)
			g->sel[k++] = sel[i]->counted;
	g->kernel = w->kernel;
	g->group = w->kernel->bind(w->engine, t, g->sel, g->n, why);
	if (g->group)
		return 0;
	const int e = errno;
	sim_software_unbind(g);
	errno = e;
	return -1;
}

void sim_software_unbind(struct sim_software_group *g)
{
	if (g->group)
		g->kernel->unbind(g->group);
	free(g->sel);
	*g = (struct sim_software_group){0};
}

int sim_software_read(const struct sim_software_group *g, struct count *val)
{
	return g->n ? g->kernel->read(g->group, val, NULL, NULL) : 0;
}

int sim_software_freeze(const struct sim_software_group *g)
{
	return g->n ? g->kernel->freeze(g->group) : 0;
}

int sim_software_thaw(const struct sim_software_group *g)
{
	return g->n ? g->kernel->thaw(g->group, NULL) : 0;
}
