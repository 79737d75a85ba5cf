#include "suite/screen/summary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "suite/screen/ratio.h"
#include "suite/screen/units.h"

/* Widths of the columns; longer names widen theirs. */
enum { W_COUNT = 18, W_NAME = 17, W_RATIO = 27 };

/* The values of a request in several rows. */
struct sum {
	cpc_value_t value;
	unsigned rows, missing; /* the number of rows, and of rows without a value */
};

/* A process whose LWPs have ended or were released, but not the process itself. */
struct process {
	pid_t pid;
	struct sum *sum;
};

struct summary {
	struct sink sink; /* first: its address is that of the summary */
	int grouped;
	const char *what;
	struct sink_output out;
	const struct record_run *run;
	unsigned n;	  /* requests of all sets */
	struct sum *sum;  /* [n], of the whole run */
	struct sum *kept; /* [n], of the whole run before a provisional report */
	int provisional;  /* a provisional report is being written */
	unsigned nprocesses;
	struct process *process;
	unsigned cpus; /* the number of CPUs that were counted; 0: programs were */
};

static int no_memory(struct summary *s)
{
	s->out.write(s->out.arg, NULL, 0);
	errno = ENOMEM;
	return -1;
}

/* Returns the position in the sums of the first request of a set. */
static unsigned position(const struct summary *s, unsigned set)
{
	unsigned at = 0;

	for (unsigned i = 0; i < set; i++)
		at += s->run->set[i]->n;
	return at;
}

static int begin(struct sink *sink, const struct record_run *run)
{
	struct summary *s = (struct summary *)sink;

	s->run = run;
	s->n = position(s, run->nsets);
	s->sum = calloc(s->n + 1, sizeof *s->sum);
	s->kept = calloc(s->n + 1, sizeof *s->kept);
	return s->sum && s->kept ? 0 : no_memory(s);
}

static void add(struct sum *sum, const cpc_value_t *v, unsigned rows, unsigned missing)
{
	sum->rows += rows;
	sum->missing += missing;
	if (rows == missing)
		return;
	sum->value.value += v->value;
	sum->value.count += v->count;
	sum->value.enabled += v->enabled;
	sum->value.running += v->running;
	if (v->quality > sum->value.quality)
		sum->value.quality = v->quality;
}

static void add_row(struct sum *sum, const struct row *row)
{
	for (unsigned i = 0; i < row->set->n; i++)
		add(&sum[i], &row->value[i], 1, row->value[i].quality == CPC_UNAVAILABLE);
}

static void add_all(struct sum *to, const struct sum *from, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		add(&to[i], &from[i].value, from[i].rows, from[i].missing);
}

static struct process *find(const struct summary *s, pid_t pid)
{
	for (unsigned i = 0; i < s->nprocesses; i++)
		if (s->process[i].pid == pid)
			return &s->process[i];
	return NULL;
}

/* Returns the sums of the LWPs of a process, or NULL if memory runs out. */
static struct sum *sums_of(struct summary *s, pid_t pid)
{
	struct process *p = find(s, pid);

	if (p)
		return p->sum;
	if (array_grow(&s->process, s->nprocesses, sizeof *s->process) == -1)
		return NULL;
	p = &s->process[s->nprocesses];
	*p = (struct process){pid, calloc(s->n + 1, sizeof *p->sum)};
	if (p->sum)
		s->nprocesses++;
	return p->sum;
}

/* The totals of a process and a set have come, which contain those of the LWPs. */
static void forget(struct summary *s, pid_t pid, unsigned at, unsigned n)
{
	struct process *p = find(s, pid);

	if (!p)
		return;
	memset(p->sum + at, 0, n * sizeof *p->sum);
	for (unsigned i = 0; i < s->n; i++)
		if (p->sum[i].rows)
			return;
	free(p->sum);
	*p = s->process[--s->nprocesses];
}

static int is_word(const struct row *row, const char *const *words)
{
	for (; *words; words++)
		if (strcmp(row->word, *words) == 0)
			return 1;
	return 0;
}

/* The rows of a provisional report do not stay: provisional() has kept the sums. */
static int put_lwp(struct summary *s, const struct row *row, unsigned at)
{
	struct sum *sum = s->provisional ? s->sum : sums_of(s, row->pid);

	if (!sum)
		return no_memory(s);
	add_row(sum + at, row);
	return 0;
}

static int put_row(struct sink *sink, const struct row *row)
{
	static const char *const totals[] = {"exit", "exec", "rest", NULL};
	static const char *const lwps[] = {"lwp_exit", "detach", NULL};
	struct summary *s = (struct summary *)sink;

	if (!s->sum || !s->kept || !row->set ||
	    (row->kind != ROW_TOTAL && row->kind != ROW_VALUES))
		return 0;
	const unsigned at = position(s, row->index);
	if (row->kind == ROW_TOTAL)
		s->cpus = row->cpus;
	else if (is_word(row, lwps))
		return put_lwp(s, row, at);
	else if (is_word(row, totals))
		forget(s, row->pid, at, row->set->n);
	else
		return 0;
	add_row(s->sum + at, row);
	return 0;
}

static int flush(struct sink *sink)
{
	(void)sink;
	return 0;
}

static void provisional(struct sink *sink)
{
	struct summary *s = (struct summary *)sink;

	s->provisional = 1;
	if (s->sum && s->kept)
		memcpy(s->kept, s->sum, s->n * sizeof *s->kept);
}

/* Append v in a cell, with commas between thousands if grouped. */
static void put_count(struct textbuf *b, uint64_t v, int grouped, size_t width)
{
	char digits[24], text[TEXT_GROUPED];

	snprintf(digits, sizeof digits, "%" PRIu64, v);
	const char *s = grouped ? text_grouped(text, digits) : digits;
	textbuf_cell(b, s, strlen(s), width);
}

static void put_value(struct textbuf *b, const struct summary *s, const struct sum *sum,
		      const char *unit)
{
	if (sum->value.quality == CPC_UNAVAILABLE) {
		textbuf_cell(b, "-", 1, W_COUNT);
		textbuf_str(b, "    ");
	} else if (unit && strcmp(unit, "ns") == 0) {
		const uint64_t us = units_us(sum->value.value);

		put_count(b, us / 1000, s->grouped, W_COUNT - 4);
		textbuf_char(b, '.');
		for (unsigned place = 100; place; place /= 10)
			textbuf_char(b, (char)('0' + us / place % 10));
		textbuf_str(b, " ms ");
	} else {
		put_count(b, sum->value.value, s->grouped, W_COUNT);
		textbuf_str(b, "    ");
	}
}

/* Append blanks until what was appended since a length is width bytes wide. */
static void pad(struct textbuf *b, size_t from, size_t width)
{
	do
		textbuf_char(b, ' ');
	while (!b->failed && b->len - from < width);
}

/* Append how the count was obtained, and in which mode of the processor. */
static void put_how(struct textbuf *b, const struct sum *sum, const char *mode)
{
	const cpc_value_t *v = &sum->value;

	if (v->quality == CPC_UNAVAILABLE) {
		textbuf_str(b, "not counted");
		return;
	}
	textbuf_str(b, cpc_class_name(v->quality));
	if (v->running < v->enabled) {
		textbuf_str(b, ", counted ");
		textbuf_num(b, v->running * 100 / v->enabled, 0);
		textbuf_str(b, " % of the time");
	}
	if (mode && strcmp(mode, "user") == 0)
		textbuf_str(b, ", user mode");
	else if (mode && strcmp(mode, "sys") == 0)
		textbuf_str(b, ", system mode");
}

/* A sum that lacks the value of some row is too small, which makes its class worse. */
static void settle(struct summary *s)
{
	for (unsigned i = 0; i < s->nprocesses; i++)
		add_all(s->sum, s->process[i].sum, s->n);
	for (unsigned i = 0; i < s->n; i++) {
		struct sum *sum = &s->sum[i];

		if (sum->rows == sum->missing)
			sum->value.quality = CPC_UNAVAILABLE;
		else if (sum->missing && sum->value.quality < CPC_APPROXIMATE)
			sum->value.quality = CPC_APPROXIMATE;
	}
}

static int is_simulated(const struct summary *s)
{
	return s->run->engine && strcmp(s->run->engine, "sim") == 0;
}

/* A simulator is slower than the program: rates by its time mean nothing. */
static void put_events(struct textbuf *b, const struct summary *s, int64_t ns)
{
	struct ratio_count count[s->n + 1];
	struct ratio_run ratios = {.count = count, .wall_ns = is_simulated(s) ? 0 : ns};

	for (unsigned set = 0; set < s->run->nsets; set++)
		for (unsigned i = 0; i < s->run->set[set]->n; i++) {
			const struct row_set *of = s->run->set[set];

			count[ratios.n] = (struct ratio_count){
				.name = of->event[i],
				.mode = of->mode ? of->mode[i] : NULL,
				.unit = of->unit ? of->unit[i] : NULL,
				.value = &s->sum[ratios.n].value};
			ratios.n++;
		}
	for (unsigned i = 0; i < ratios.n; i++) {
		put_value(b, s, &s->sum[i], count[i].unit);
		size_t from = b->len;
		textbuf_clean(b, count[i].name);
		pad(b, from, W_NAME);
		from = b->len;
		ratio_put(b, &ratios, i);
		pad(b, from, W_RATIO);
		put_how(b, &s->sum[i], count[i].mode);
		textbuf_char(b, '\n');
	}
}

static void put_seconds(struct textbuf *b, int64_t ns, const char *words)
{
	textbuf_fixed(b, ((uint64_t)ns + 50000) / 100000, 4, 0);
	textbuf_str(b, words);
}

/* The line about the time and the memory that the run took. */
static void put_use(struct textbuf *b, const struct summary *s,
		    const struct record_end *e)
{
	textbuf_str(b, "     ");
	put_seconds(b, e->ns, " s elapsed");
	if (e->use) {
		textbuf_str(b, ", ");
		put_seconds(b, e->use->user_ns, " s user, ");
		put_seconds(b, e->use->system_ns, " s system; largest process ");
		textbuf_decimal(b, (double)e->use->peak_bytes / (1 << 20), 1, 0);
		textbuf_str(b, " MiB");
	}
	if (is_simulated(s))
		textbuf_str(b, " (of the simulator)");
	textbuf_char(b, '\n');
}

/* Append how the command or process ended, or that only its measurement did. */
static void put_outcome(struct textbuf *b, const struct record_end *e)
{
	if (e->provisional) {
		textbuf_str(b, "not ended yet");
	} else if (e->has_ended && e->command_signal) {
		textbuf_str(b, "ended by ");
		textbuf_signal(b, e->command_signal);
	} else if (e->has_ended) {
		textbuf_str(b, "ended with status ");
		textbuf_num(b, (uint64_t)e->command_status, 0);
	} else if (e->signal) {
		textbuf_str(b, "measurement ended by ");
		textbuf_signal(b, e->signal);
	} else {
		textbuf_str(b, "measurement ended");
	}
}

/* The line about the command, process or CPUs, and how the run ended. */
static void put_end(struct textbuf *b, const struct summary *s,
		    const struct record_end *e)
{
	textbuf_str(b, "     ");
	if (s->cpus) {
		textbuf_num(b, s->cpus, 0);
		textbuf_str(b, s->cpus == 1 ? " CPU" : " CPUs");
	} else {
		put_outcome(b, e);
	}
	if (s->what) {
		textbuf_str(b, ": ");
		textbuf_clean(b, s->what);
	}
	textbuf_char(b, '\n');
}

static int write_block(struct summary *s, const struct record_end *e)
{
	struct textbuf b = {0};

	settle(s);
	textbuf_char(&b, '\n');
	put_events(&b, s, e->ns);
	textbuf_char(&b, '\n');
	put_use(&b, s, e);
	put_end(&b, s, e);
	char *text = textbuf_end(&b);
	if (!text)
		return no_memory(s);
	const int rc = s->out.write(s->out.arg, text, strlen(text));
	free(text);
	return rc;
}

/* Returns whether something was counted. */
static int has_rows(const struct summary *s)
{
	unsigned rows = s->nprocesses;

	for (unsigned i = 0; i < s->n; i++)
		rows += s->sum[i].rows;
	return rows > 0;
}

static int end(struct sink *sink, const struct record_end *e)
{
	struct summary *s = (struct summary *)sink;

	if (!s->sum || !s->kept || !has_rows(s))
		return 0;
	const int rc = write_block(s, e);
	if (s->provisional)
		memcpy(s->sum, s->kept, s->n * sizeof *s->sum);
	s->provisional = 0;
	return rc;
}

static void free_summary(struct sink *sink)
{
	struct summary *s = (struct summary *)sink;

	for (unsigned i = 0; i < s->nprocesses; i++)
		free(s->process[i].sum);
	free(s->process);
	free(s->kept);
	free(s->sum);
	free(s);
}

struct sink *summary_sink(const char *what, int grouped, struct sink_output out)
{
	struct summary *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	s->sink = (struct sink){.begin = begin,
				.row = put_row,
				.flush = flush,
				.provisional = provisional,
				.end = end,
				.free = free_summary};
	s->what = what;
	s->grouped = grouped;
	s->out = out;
	return &s->sink;
}
