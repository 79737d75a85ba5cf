#include "suite/by/read.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "suite/by/run.h"
#include "suite/saved/lines.h"

/* A file that is being read. */
struct reading {
	struct by *by;
	const char *path;
	uint64_t records;
	unsigned run; /* the number of the run of the latest record */
};

/* Store the number of a run. Returns whether the run is new, or -1 with ENOMEM. */
static int find_run(struct by *b, const char *id, unsigned *number)
{
	if (b->runs.n == b->states) {
		const unsigned n = b->states ? 2 * b->states : 16;
		struct by_state *grown = reallocarray(b->state, n, sizeof *grown);

		if (!grown)
			return -1;
		b->state = grown;
		b->states = n;
	}
	const int is_new = names_number(&b->runs, id, strlen(id), number);
	if (is_new == 1)
		b->state[*number] = (struct by_state){.open = NULL};
	return is_new;
}

static int add_rank(struct by *b, const struct saved_node *record)
{
	static const char *const key[] = {"launcher", "job"};
	uint64_t rank, n, hash = HASH_START;
	int64_t size = -1;

	if (saved_number(record, "rank", UINT32_MAX, &rank) == -1)
		return 0;
	for (unsigned i = 0; i < sizeof key / sizeof key[0]; i++) {
		const char *text = saved_text(record, key[i]);

		hash = hash_text(hash_bytes(hash, "", 1), text ? text : "");
	}
	if (saved_number(record, "step", UINT32_MAX, &n) == 0)
		hash = hash_bytes(hash, &n, sizeof n);
	if (saved_number(record, "size", UINT32_MAX, &n) == 0)
		size = (int64_t)n;
	if (array_grow(&b->rank, b->ranks, sizeof *b->rank) == -1)
		return -1;
	b->rank[b->ranks++] = (struct by_rank){hash, (uint32_t)rank, size};
	return 0;
}

/* Find the key of a run, which it may not have. */
static int find_key(struct reading *f, struct by_run *run)
{
	struct by *b = f->by;
	const struct saved_node *record = run->record;
	char rank[24];
	uint64_t v;
	const char *key = NULL;

	if (b->kind == BY_CPU || b->kind == BY_LWP)
		return 0;
	if (b->kind == BY_HOST)
		key = saved_text(record, "host");
	else if (b->kind == BY_LABEL)
		key = saved_text(saved_member(record, "label"), b->label);
	else if (saved_number(record, "rank", UINT32_MAX, &v) == 0) {
		snprintf(rank, sizeof rank, "%" PRIu64, v);
		key = rank;
	}
	if (!key) {
		by_find(b, BY_KEYLESS, f->path);
		return 0;
	}
	const unsigned before = b->values.keys.n;
	run->has_key = 1;
	if (values_key(&b->values, key, &run->key) == -1)
		return -1;
	if (b->values.keys.n == before && b->kind == BY_RANK)
		by_find(b, BY_SHARED, f->path);
	return 0;
}

static void link_run(struct by *b, struct by_run *run)
{
	run->next = b->open;
	if (run->next)
		run->next->previous = run;
	b->open = run;
	b->state[run->number].open = run;
}

/* The run has ended, or no more of its records can come. */
static int close_run(struct reading *f, struct by_run *run, int has_ended)
{
	struct by *b = f->by;

	*(run->previous ? &run->previous->next : &b->open) = run->next;
	if (run->next)
		run->next->previous = run->previous;
	b->state[run->number].open = NULL;
	if (!has_ended)
		by_find(b, run->is_provisional ? BY_PROVISIONAL : BY_KILLED, f->path);
	const int rc = by_run_commit(b, run, f->path);
	by_run_free(run);
	return rc;
}

static int begin_run(struct reading *f, const struct saved_line *line)
{
	struct by *b = f->by;
	unsigned number;
	const int is_new = find_run(b, line->run, &number);

	if (is_new == -1)
		return -1;
	if (!is_new) {
		struct by_run *open = b->state[number].open;

		by_find(b, BY_TWICE, f->path);
		b->state[number].is_twice = 1;
		return open ? close_run(f, open, 0) : 0;
	}
	struct by_run *run = by_run_new(line->json);
	if (!run)
		return -1;
	run->number = number;
	link_run(b, run);
	return add_rank(b, line->json) == -1 ? -1 : find_key(f, run);
}

/* Returns whether a record has final values of what the keys stand for. */
static int is_wanted(const struct by *b, const struct saved_line *line)
{
	const char *scope = saved_text(line->json, "scope");
	const int is_lwp = scope && strcmp(scope, "lwp") == 0;

	if (b->kind == BY_CPU)
		return line->kind == SAVED_SAMPLE && scope && strcmp(scope, "cpu") == 0;
	if (b->kind == BY_LWP)
		return line->kind == SAVED_TOTAL && is_lwp;
	return line->kind == SAVED_SERIES || (line->kind == SAVED_TOTAL && !is_lwp);
}

static int end_run(struct reading *f, struct by_run *run, const struct saved_node *record)
{
	if (!saved_is_true(record, "provisional"))
		return close_run(f, run, 1);
	run->is_provisional = 1;
	return 0;
}

/* What comes after a provisional report takes its place. */
static void go_on(struct by_run *run)
{
	if (run->is_provisional)
		run->nstaged = 0;
	run->is_provisional = 0;
}

/* Returns the run of a record, or NULL. Most records are of the run of the one before. */
static const struct by_state *find_state(struct reading *f, const char *id)
{
	const struct by *b = f->by;

	if ((f->run < b->runs.n && strcmp(b->runs.entry[f->run]->text, id) == 0) ||
	    names_find(&b->runs, id, strlen(id), &f->run))
		return &b->state[f->run];
	return NULL;
}

static int add_record(struct reading *f, const struct saved_line *line)
{
	struct by *b = f->by;

	if (line->kind != SAVED_END && !is_wanted(b, line))
		return 0;
	const struct by_state *state = find_state(f, line->run);
	struct by_run *run = state ? state->open : NULL;
	if (!run) {
		if (line->kind != SAVED_END && !(state && state->is_twice))
			by_find(b, BY_ORPHANS, f->path);
		return 0;
	}
	if (line->kind == SAVED_END)
		return end_run(f, run, line->json);
	if (!run->has_key && b->kind != BY_CPU && b->kind != BY_LWP)
		return 0;
	go_on(run);
	return (line->kind == SAVED_SERIES ? by_run_series : by_run_values)(b, run,
									    line->json);
}

static int take(void *arg, const struct saved_line *line, char *why, size_t size)
{
	struct reading *f = arg;

	f->records++;
	if ((line->kind == SAVED_RUN ? begin_run : add_record)(f, line) == 0)
		return 0;
	snprintf(why, size, "%s",
		 errno == EINVAL ? "the record is malformed" : strerror(errno));
	return -1;
}

int by_file(struct by *b, const char *path, char *why, size_t size)
{
	struct reading f = {.by = b, .path = path};
	const struct saved_taker taker = {&f, take};
	int rc = saved_lines(path, &taker, why, size);

	while (b->open)
		if (close_run(&f, b->open, 0) == -1 && rc == 0) {
			snprintf(why, size, "%s", strerror(errno));
			rc = -1;
		}
	if (rc == 0 && !f.records) {
		snprintf(why, size, "it has no records");
		rc = -1;
	}
	return rc;
}
