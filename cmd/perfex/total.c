#include "total.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <libpctx.h>
#include "base/clock.h"
#include "common/message.h"
#include "common/status.h"
#include "common/whole.h"

/* The samples of an event. */
struct samples {
	cpc_buf_t *base; /* at the start of the period, or at SIGUSR1 (-s) */
	cpc_buf_t *sum;	 /* of the period, or of all times that -s counted */
};

struct total {
	struct run *run;
	struct whole whole;
	struct samples *event; /* [run->s->n] */
	int counting;	       /* -s: between SIGUSR1 and SIGUSR2 */
	int counted;	       /* -s: SIGUSR1 came */
	int failed;	       /* a count could not be read */
	int64_t next;	       /* end of the period, ns of clock_ns(), or 0 */
};

static int samples_new(struct total *t)
{
	const struct set_list *s = t->run->s;

	t->event = calloc(s->n, sizeof *t->event);
	for (unsigned i = 0; t->event && i < s->n; i++) {
		struct samples *e = &t->event[i];

		if (!s->set[i])
			continue;
		e->base = cpc_buf_create(s->cpc, s->set[i]);
		e->sum = cpc_buf_create(s->cpc, s->set[i]);
		if (!e->base || !e->sum)
			return -1;
	}
	return t->event ? 0 : -1;
}

/* Bind each set to the child separately: sets that find no counter take turns. */
static int bind_all(const struct total *t)
{
	struct set_list *s = t->run->s;

	message_watch();
	for (unsigned i = 0; i < s->n; i++) {
		if (!s->set[i])
			continue;
		message_capture_begin();
		const int rc = whole_bind(&t->whole, i);

		if (set_list_bound(s, i, rc, 1) == -1) {
			if (!message_came())
				warn("cannot count %s", s->row[i].name);
			return -1;
		}
	}
	return 0;
}

static int sample(struct total *t)
{
	const struct set_list *s = t->run->s;
	const unsigned read = whole_sample(&t->whole);

	if (read == s->n)
		return 0;
	warn("cannot read the count of %s", s->row[read].name);
	t->failed = 1;
	return -1;
}

/* Set sum to now - base, or add it, and base to now. */
static void advance(const struct total *t, int add)
{
	cpc_t *cpc = t->run->s->cpc;

	for (unsigned i = 0; i < t->run->s->n; i++) {
		const struct samples *e = &t->event[i];
		cpc_buf_t *now = t->whole.sample[i];

		if (!now)
			continue;
		if (!add)
			cpc_buf_zero(cpc, e->sum);
		cpc_buf_add(cpc, e->sum, e->sum, now);
		cpc_buf_sub(cpc, e->sum, e->sum, e->base);
		cpc_buf_copy(cpc, e->base, now);
	}
}

static void read_values(const struct total *t, int sums)
{
	const struct set_list *s = t->run->s;

	for (unsigned i = 0; i < s->n; i++)
		if (s->set[i])
			cpc_buf_value(s->cpc, sums ? t->event[i].sum : t->whole.sample[i],
				      0, &s->row[i].value);
}

/* An event that was never enabled has no value: -s counts nothing without SIGUSR1. */
static void check_values(const struct total *t)
{
	const struct set_list *s = t->run->s;

	for (unsigned i = 0; i < s->n; i++) {
		cpc_value_t *v = &s->row[i].value;

		if (v->enabled == 0 && !t->counted)
			v->quality = CPC_UNAVAILABLE;
	}
}

/*
 * In a period, an event that was not enabled, as in a command that sleeps, counts 0. But
 * the periods of a command that the kernel does not count have no values.
 */
static void check_period(const struct total *t)
{
	for (unsigned i = 0; t->whole.uncounted.why && i < t->run->s->n; i++)
		t->run->s->row[i].value.quality = CPC_UNAVAILABLE;
}

static void put_period(struct total *t)
{
	if (sample(t) == -1)
		return;
	const int64_t now = clock_ns();
	advance(t, 0);
	read_values(t, 1);
	check_period(t);
	run_report(t->run, IRIX_PERIOD, now, t->whole.pid, 0);
}

/* Missed periods are reported as one long period. */
static void next_period(struct total *t)
{
	const int64_t period = t->run->o->period_ms * INT64_C(1000000), now = clock_ns();

	put_period(t);
	while (t->next <= now)
		t->next += period;
}

static void start_counting(struct total *t)
{
	if (t->counting || sample(t) == -1)
		return;
	for (unsigned i = 0; i < t->run->s->n; i++)
		if (t->whole.sample[i])
			cpc_buf_copy(t->run->s->cpc, t->event[i].base,
				     t->whole.sample[i]);
	t->counting = t->counted = 1;
}

static void stop_counting(struct total *t)
{
	if (!t->counting || sample(t) == -1)
		return;
	advance(t, 1);
	t->counting = 0;
}

static void begin(struct total *t)
{
	const struct options *o = t->run->o;

	run_begin(t->run, t->whole.begun, t->whole.begun_unix);
	if (o->mode == MODE_PERIODS)
		t->next = t->run->start + o->period_ms * INT64_C(1000000);
}

/* After the end of the command: change the values of what the kernel did not count. */
static void check_uncounted(const struct total *t)
{
	char words[160];

	set_list_lacks(t->run->s, whole_uncounted(&t->whole, words, sizeof words), words);
}

/* Print the report of what was counted so far, or at the end. */
static void put_total(struct total *t, int provisional)
{
	const enum mode mode = t->run->o->mode;

	read_values(t, mode == MODE_SIGNALS);
	check_values(t);
	if (!provisional && t->whole.child.pid == -1)
		check_uncounted(t);
	run_report(t->run, IRIX_TOTAL, clock_ns(), t->whole.pid, 0);
}

/*
 * Writes a provisional report if the output is a regular file; the next report replaces
 * it.
 */
static void put_provisional(struct total *t)
{
	if (sample(t) == -1)
		return;
	if (t->counting)
		advance(t, 1);
	if (out_provisional_begin(t->run->out) == -1)
		return;
	recording_provisional(&t->run->recording);
	put_total(t, 1);
	recording_provisional_end(&t->run->recording);
	out_provisional_end(t->run->out);
}

/* Handle signals and periods until the child ends, or a second SIGINT. */
static enum child_event follow(struct total *t)
{
	for (;;) {
		const enum child_event ev = child_next(&t->whole.child, t->next);

		if (ev == CHILD_ENDED || ev == CHILD_GIVEN_UP)
			return ev;
		if (ev == CHILD_START)
			start_counting(t);
		else if (ev == CHILD_STOP)
			stop_counting(t);
		else if (ev == CHILD_WARNED)
			put_provisional(t);
		else
			next_period(t);
		if (t->run->out->error)
			t->next = 0;
	}
}

static void report(struct total *t)
{
	const enum mode mode = t->run->o->mode;

	if (mode == MODE_SIGNALS)
		stop_counting(t);
	else if (mode == MODE_PERIODS)
		put_period(t);
	else
		sample(t);
	if (!t->failed)
		put_total(t, 0);
}

static int run_child(struct total *t)
{
	if (whole_go(&t->whole) == -1)
		return EXIT_TOOL;
	begin(t);
	const enum child_event ev = follow(t);
	const int not_begun = ev == CHILD_ENDED ? whole_not_begun(&t->whole) : 0;
	if (not_begun) {
		t->run->start = 0;
		return not_begun;
	}
	report(t);
	if (t->failed)
		return EXIT_TOOL;
	t->run->signal = SIGINT;
	if (ev != CHILD_ENDED)
		return 128 + SIGINT;
	recording_ended(&t->run->recording, t->whole.child.status, &t->whole.child.use);
	t->run->signal = status_signal(t->whole.child.status);
	return status_of_wait(t->whole.child.status);
}

static int count(struct total *t)
{
	const struct run *r = t->run;

	if (whole_start(&t->whole, r->o->argv, r->argv, r->o->mode == MODE_SIGNALS) == -1)
		return EXIT_TOOL;
	return bind_all(t) == -1 ? EXIT_TOOL : run_child(t);
}

int total_run(struct run *r)
{
	struct total t = {.run = r};
	int status = EXIT_TOOL;

	if (whole_open(&t.whole, r->s->cpc, r->s->n, r->s->set) == -1 ||
	    samples_new(&t) == -1)
		warnx("out of memory");
	else
		status = count(&t);
	whole_close(&t.whole);
	free(t.event);
	return status;
}
