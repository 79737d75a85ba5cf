/*
 * libperfex(3): two events of a part of a program. The calls have no handle, so their
 * state is in variables of this file; and they print, which is what print_counters() and
 * print_costs() are for.
 */
#include <libperfex.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libcpc.h>
#include "base/lock.h"
#include "base/process.h"
#include "base/text.h"
#include "engine/engine.h"
#include "irix/costs.h"
#include "irix/event.h"
#include "irix/hwperf_call.h"
#include "irix/libperfex_use.h"
#include "irix/perfex.h"

enum { NPAIR = 2, NO_VALUE = -1 };

/* An event that a caller or the environment names. */
struct chosen {
	int number; /* -1: not an event of the processor */
	const char *name, *label;
	char text[CPC_MAX_EVENT_LEN]; /* the event, for libcpc */
};

/* The worst value of an event since the program began. */
struct quality {
	cpc_value_t worst;
	const char *how; /* how the event is counted instead, or NULL */
	int noted;	 /* the note about the event was printed */
};

/* The state of the process. lock_hold() protects it. */
static struct {
	const struct costs *costs; /* from load_costs(), or NULL */
	cpc_t *cpc;
	cpc_set_t *set; /* of the pair */
	cpc_buf_t *buf;
	struct chosen pair[NPAIR];
	struct quality quality[NPAIR];
	int printed; /* libcpc gave the reason of a failure, which was printed */
} state;

/* In a simulated program: process_waited_usage() when the calling thread has started. */
static _Thread_local uint64_t waited;

/* Begin a call. Returns 0, or -1 with EDEADLK (irix/hwperf_call.h). */
static int begin(void)
{
	if (hwperf_call_begin() == -1)
		return -1;
	lock_prepare();
	lock_hold();
	return 0;
}

/* End a call. Returns rc, the result of the call. */
static int end(int rc)
{
	lock_release();
	hwperf_call_end();
	return rc;
}

/* Print a message. Returns -1 with errno error. */
__attribute__((format(printf, 3, 4))) static int refuse(const char *fn, int error,
							const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	text_message(text, sizeof text, fmt, ap);
	va_end(ap);
	fprintf(stderr, "libperfex: %s: %s\n", fn, text);
	errno = error;
	return -1;
}

/* An error handler of libcpc. */
static void print_reason(const char *fn, int subcode, const char *fmt, va_list ap)
{
	(void)fn;
	(void)subcode;
	fputs("libperfex: ", stderr);
	vfprintf(stderr, fmt, ap);
	state.printed = 1;
}

static const struct costs *costs_in_use(void)
{
	return state.costs ? state.costs : costs_of("r10000");
}

/* Choose an event of the processor by its number. */
static int choose_number(struct chosen *c, const char *fn, int number)
{
	const char *cpu = costs_in_use()->cpu;

	c->number = number;
	c->name = irix_event_name(cpu, number);
	c->label = irix_event_label(cpu, number);
	if (!c->name)
		return refuse(fn, EINVAL, "event %d: event numbers are from 0 to %d",
			      number, IRIX_NEVENTS - 1);
	snprintf(c->text, sizeof c->text, "%s::%s", cpu, c->name);
	return 0;
}

/* Choose an event by the value of a variable. */
static int choose_text(struct chosen *c, const char *fn, const char *variable,
		       const char *text)
{
	const int number = irix_event_number(costs_in_use()->cpu, text);

	if (number != -1)
		return choose_number(c, fn, number);
	if (errno == EINVAL)
		return refuse(fn, EINVAL, "%s %s: event numbers are from 0 to %d",
			      variable, text, IRIX_NEVENTS - 1);
	if (!*text || strlen(text) >= sizeof c->text)
		return refuse(fn, EINVAL, "%s names no event: its value is %s", variable,
			      *text ? "too long" : "empty");
	c->number = -1;
	strcpy(c->text, text);
	c->name = c->label = c->text;
	return 0;
}

/* Choose the two events of a call. */
static int choose(struct chosen *c, const char *fn, int e0, int e1)
{
	static const char *const variable[NPAIR] = {"T5_EVENT0", "T5_EVENT1"};
	const int number[NPAIR] = {e0, e1};

	for (unsigned i = 0; i < NPAIR; i++) {
		const char *text = getenv(variable[i]);
		const int rc = text ? choose_text(&c[i], fn, variable[i], text)
				    : choose_number(&c[i], fn, number[i]);

		if (rc == -1)
			return -1;
	}
	return 0;
}

/* The processor has a counter for each half of the numbers. */
static int check_conflict(const struct chosen *c, const char *fn)
{
	if (c[0].number < 0 || c[1].number < 0 ||
	    c[0].number / IRIX_HALF != c[1].number / IRIX_HALF)
		return 0;
	return refuse(fn, EINVAL,
		      "conflicting counters: events %d and %d are both counted by "
		      "counter %d",
		      c[0].number, c[1].number, c[0].number / IRIX_HALF);
}

/* Return the index of an event in the pair that was started last, or -1. */
static int find(const struct chosen *c)
{
	for (int i = 0; state.set && i < NPAIR; i++)
		if (strcmp(state.pair[i].text, c->text) == 0)
			return i;
	return -1;
}

static void drop_set(void)
{
	const int e = errno;

	if (state.set)
		cpc_set_destroy(state.cpc, state.set);
	if (state.buf)
		cpc_buf_destroy(state.cpc, state.buf);
	state.set = NULL;
	state.buf = NULL;
	errno = e;
}

/* Make the set of a pair, and the buf of its counts, in an open session. */
static int make_set(const struct chosen *c)
{
	state.set = cpc_set_create(state.cpc);
	for (unsigned i = 0; state.set && i < NPAIR; i++)
		if (cpc_set_add_request(state.cpc, state.set, c[i].text, 0,
					CPC_COUNT_USER, 0, NULL) == -1)
			return -1;
	state.buf = state.set ? cpc_buf_create(state.cpc, state.set) : NULL;
	return state.buf ? 0 : -1;
}

/* Replace the pair that is counted. */
static int change_pair(const struct chosen *c)
{
	if (!state.cpc) {
		state.cpc = cpc_open_cpu(CPC_VER_CURRENT, NULL, NULL);
		if (!state.cpc)
			return -1;
		cpc_seterrhndlr(state.cpc, print_reason);
	}
	drop_set();
	if (make_set(c) == -1) {
		drop_set();
		return -1;
	}
	for (unsigned i = 0; i < NPAIR; i++) {
		struct chosen *to = &state.pair[i];

		*to = c[i];
		if (to->number < 0)
			to->name = to->label = to->text;
		state.quality[i] = (struct quality){
			.how = cpc_request_note(state.cpc, state.set, (int)i)};
	}
	return 0;
}

/*
 * Start the counters again, which is cheap, if the thread has started the pair before.
 * Returns 1 if it has; 0 if the pair must be bound; -1 with errno.
 */
static int restart(const struct chosen *c)
{
	if (find(&c[0]) == -1 || find(&c[1]) == -1)
		return change_pair(c);
	return cpc_set_restart(state.cpc, state.set) == 0;
}

/*
 * Start the counters of the calling thread for the first time, and once again after the
 * calls of a read, whose first execution has page faults that would be counted.
 */
static int bind(void)
{
	if (cpc_bind_curlwp(state.cpc, state.set, CPC_BIND_TREE) == -1 ||
	    cpc_set_sample(state.cpc, state.set, state.buf) == -1 ||
	    cpc_disable(state.cpc) == -1)
		return -1;
	return cpc_set_restart(state.cpc, state.set);
}

/* Print once that the simulation does not count children, if a child has ended. */
static void note_children(const char *fn)
{
	static int noted;

	if (noted || !engine_inside() || waited == process_waited_usage())
		return;
	noted = 1;
	fprintf(stderr,
		"libperfex: %s: the counts lack the children that have been waited for: "
		"a simulated program counts only the calling thread\n",
		fn);
}

/* Start the counters of the calling thread from 0. */
static int start(const struct chosen *c, const char *fn)
{
	state.printed = 0;
	const int generation = libperfex_use_begin();

	if (generation != -1) {
		if (engine_inside())
			waited = process_waited_usage();
		int rc = restart(c);
		if (rc == 0)
			rc = bind();
		if (rc != -1)
			return generation;
		const int e = errno;
		libperfex_use_end();
		errno = e == EAGAIN ? EBUSY : e;
	}
	return state.printed
		       ? -1
		       : refuse(fn, errno, "cannot count the events: %s%s",
				strerror(errno),
				errno == EBUSY ? "; they are used in system mode" : "");
}

int start_counters(int e0, int e1)
{
	static const char fn[] = "start_counters";
	struct chosen c[NPAIR];

	if (begin() == -1)
		return -1;
	int rc = choose(c, fn, e0, e1);
	if (rc == 0)
		rc = check_conflict(c, fn);
	if (rc == 0)
		rc = start(c, fn);
	return end(rc);
}

/* Return the count of an event of the sampled pair, and note how good it is. */
static long long value_of(int i)
{
	struct quality *q = &state.quality[i];
	cpc_value_t v;

	if (cpc_buf_value(state.cpc, state.buf, i, &v) == -1 ||
	    v.quality == CPC_UNAVAILABLE)
		return NO_VALUE;
	if (v.quality > q->worst.quality)
		q->worst = v;
	return (long long)v.value;
}

/* Stop, and read the events c[0..1]. sampled: the errno of the sample, or 0. */
static int stop(const struct chosen *c, const char *fn, int sampled, long long *count)
{
	const int index[NPAIR] = {find(&c[0]), find(&c[1])};

	for (unsigned i = 0; i < NPAIR; i++)
		if (index[i] == -1)
			return refuse(fn, EINVAL, "event %s was not started", c[i].name);
	if (sampled != 0 && sampled != EAGAIN)
		return refuse(
			fn, sampled, "cannot read the counters: %s%s", strerror(sampled),
			sampled == EINVAL ? "; this thread has not started them" : "");
	cpc_disable(state.cpc);
	note_children(fn);
	const int generation =
		sampled == EAGAIN ? libperfex_use_lose() : libperfex_use_end();
	const int is_lost = libperfex_use_is_lost();
	count[0] = is_lost ? NO_VALUE : value_of(index[0]);
	count[1] = is_lost ? NO_VALUE : value_of(index[1]);
	return generation;
}

/* The sample comes first, so that it has little of this call itself. */
static int sample_and_stop(const char *fn, int e0, int e1, long long *count)
{
	const int sampled =
		state.set && cpc_set_sample(state.cpc, state.set, state.buf) == -1 ? errno
										   : 0;
	struct chosen c[NPAIR];

	return choose(c, fn, e0, e1) == -1 ? -1 : stop(c, fn, sampled, count);
}

int read_counters(int e0, long long *c0, int e1, long long *c1)
{
	long long count[NPAIR];

	if (begin() == -1)
		return -1;
	const int rc = end(sample_and_stop("read_counters", e0, e1, count));
	if (rc == -1)
		return -1;
	*c0 = count[0];
	*c1 = count[1];
	return rc;
}

/* Print once how an event was counted, if it is not exact or a model counts only 0. */
static void print_note(int i)
{
	struct quality *q = &state.quality[i];
	const char *class = cpc_class_name(q->worst.quality), *how = q->how ? q->how : "";
	const int simulated =
		q->worst.quality == CPC_SIMULATED && strncmp(how, "as 0", 4);
	char part[64] = "";

	if (q->noted || simulated || (q->worst.quality == CPC_EXACT && !*how))
		return;
	q->noted = 1;
	if (q->worst.running < q->worst.enabled)
		snprintf(part, sizeof part,
			 ": counted %.2f %% of the time, the rest is extrapolated",
			 100.0 * (double)q->worst.running / (double)q->worst.enabled);
	fprintf(stderr, "libperfex: event %s: %s%s%s%s\n", state.pair[i].name, class,
		part, *how ? ", counted " : "", how);
}

static int print(const char *fn, const struct costs *costs, const struct chosen *c,
		 const long long *count)
{
	const unsigned first = c[0].number > c[1].number && c[1].number >= 0;
	struct irix_row row[NPAIR];

	for (unsigned i = 0; i < NPAIR; i++) {
		const unsigned k = i ^ first;

		row[i] = (struct irix_row){
			.number = c[k].number,
			.name = c[k].name,
			.label = c[k].label,
			.value = {.value = (uint64_t)count[k],
				  .quality = count[k] < 0 ? CPC_UNAVAILABLE : CPC_EXACT}};
	}
	char *text = irix_report(&(struct irix_report){
		.format = TEXT_PLAIN,
		.scope = IRIX_TOTAL,
		.command = program_invocation_name,
		.costs = costs,
		.n = NPAIR,
		.row = row,
	});
	const int rc = text ? fputs(text, stderr) : EOF;
	free(text);
	if (rc == EOF)
		return refuse(fn, errno, "cannot print the counts: %s", strerror(errno));
	for (unsigned i = 0; i < NPAIR; i++)
		if (find(&c[i]) != -1)
			print_note(find(&c[i]));
	return 0;
}

/* Print the counts of two events; costly: with their costs. */
static int choose_and_print(const char *fn, int costly, int e0, long long c0, int e1,
			    long long c1)
{
	const long long count[NPAIR] = {c0, c1};
	struct chosen c[NPAIR];

	if (begin() == -1)
		return -1;
	int rc = choose(c, fn, e0, e1);
	if (rc == 0)
		rc = print(fn, costly ? costs_in_use() : NULL, c, count);
	return end(rc);
}

int print_counters(int e0, long long c0, int e1, long long c1)
{
	return choose_and_print("print_counters", 0, e0, c0, e1, c1);
}

int print_costs(int e0, long long c0, int e1, long long c1)
{
	return choose_and_print("print_costs", 1, e0, c0, e1, c1);
}

static int load(const char *fn, const char *name)
{
	struct costs_error error;
	const struct costs *c = costs_load(name, &error);
	const int e = errno;

	if (!c && error.line)
		return refuse(fn, e, "%s:%u: %s", name, error.line, error.text);
	if (!c)
		return refuse(fn, e, "'%s' is %s: %s", name, error.text, strerror(e));
	if (!irix_event_has_cpu(c->cpu)) {
		refuse(fn, EINVAL,
		       "%s has costs of %s; the events are those of r10000 or "
		       "r12000",
		       name, c->cpu);
		costs_free(c);
		return -1;
	}
	costs_free(state.costs);
	state.costs = c;
	return 0;
}

int load_costs(const char *name)
{
	if (begin() == -1)
		return -1;
	return end(load("load_costs", name));
}
