#include "suite/record/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/quote.h"
#include "cpc/cpc.h"
#include "suite/row/json.h"

void record_run_id(char *id, size_t size, const char *host, pid_t pid, int64_t unix_ns)
{
	snprintf(id, size, "%s:%d:%" PRId64, host ? host : "", (int)pid, unix_ns);
}

void record_run_engine(struct record_run *run, cpc_t *cpc)
{
	const struct scope *s = &cpc->scope;

	run->engine = s->ops->name;
	run->model = s->ops->words->model ? s->ops->words->model(s->engine) : NULL;
	run->reproducible = s->ops->words->level ? s->ops->words->level(s->engine) : NULL;
}

static void put_words(struct textbuf *b, const char *key, char *const *word)
{
	quote_json_key(b, key);
	if (!word) {
		textbuf_str(b, "null");
		return;
	}
	textbuf_char(b, '[');
	for (unsigned i = 0; word[i]; i++) {
		if (i)
			textbuf_char(b, ',');
		quote_json(b, word[i]);
	}
	textbuf_char(b, ']');
}

static void put_labels(struct textbuf *b, const struct labels *l)
{
	quote_json_key(b, "label");
	textbuf_char(b, '{');
	for (unsigned i = 0; l && i < l->n; i++)
		quote_json_text(b, l->label[i].key, l->label[i].value);
	textbuf_char(b, '}');
}

/* A text of the host; "" is a fact that is not known. */
static void put_fact(struct textbuf *b, const char *key, const char *text)
{
	quote_json_text(b, key, text && *text ? text : NULL);
}

static void put_host(struct textbuf *b, const struct record_host *h)
{
	put_fact(b, "cwd", h ? h->cwd : NULL);
	put_fact(b, "kernel", h ? h->kernel : NULL);
	put_fact(b, "cpu_model", h ? h->cpu_model : NULL);
	quote_json_number(b, "cpus", h && h->cpus > 0, h ? h->cpus : 0);
	put_fact(b, "governor", h ? h->governor : NULL);
	quote_json_key(b, "turbo");
	textbuf_str(b, !h || h->turbo == -1 ? "null" : h->turbo ? "true" : "false");
	quote_json_key(b, "paranoid");
	if (!h || h->paranoid == INT_MIN)
		textbuf_str(b, "null");
	else if (h->paranoid < 0)
		textbuf_str(b, "-1");
	else
		textbuf_num(b, (uint64_t)h->paranoid, 0);
}

static void put_number(struct textbuf *b, const char *key, int64_t v)
{
	quote_json_number(b, key, v >= 0, (uint64_t)v);
}

static void put_launcher(struct textbuf *b, const struct launcher *l)
{
	static const struct launcher none = {
		.rank = -1, .size = -1, .local = -1, .step = -1};

	if (!l)
		l = &none;
	quote_json_text(b, "launcher", l->family);
	put_fact(b, "job", l->job);
	put_number(b, "step", l->step);
	put_number(b, "rank", l->rank);
	put_number(b, "size", l->size);
	put_number(b, "local", l->local);
}

static void put_request(struct textbuf *b, const struct row_set *set, unsigned i)
{
	textbuf_char(b, '{');
	row_json_request(b, set, i);
	quote_json_text(b, "attrs", set->attrs ? set->attrs[i] : NULL);
	if (set->label)
		quote_json_text(b, "label", set->label[i]);
	quote_json_text(b, "how", set->note ? set->note[i] : NULL);
	textbuf_char(b, '}');
}

static void put_set(struct textbuf *b, unsigned number, const struct row_set *set)
{
	textbuf_char(b, '{');
	quote_json_number(b, "set", 1, number);
	quote_json_text(b, "spec", set->spec);
	quote_json_key(b, "requests");
	textbuf_char(b, '[');
	for (unsigned i = 0; i < set->n; i++) {
		if (i)
			textbuf_char(b, ',');
		put_request(b, set, i);
	}
	textbuf_str(b, "]}");
}

static void put_sets(struct textbuf *b, const struct record_run *r)
{
	quote_json_key(b, "sets");
	textbuf_char(b, '[');
	for (unsigned i = 0; i < r->nsets; i++) {
		if (i)
			textbuf_char(b, ',');
		put_set(b, i, r->set[i]);
	}
	textbuf_char(b, ']');
}

static void put_cgroups(struct textbuf *b, const struct record_run *r)
{
	if (!r->cgroup)
		return;
	quote_json_key(b, "cgroups");
	textbuf_char(b, '[');
	for (unsigned i = 0; i < r->ncgroups; i++) {
		if (i)
			textbuf_char(b, ',');
		quote_json(b, r->cgroup[i]);
	}
	textbuf_char(b, ']');
}

static void put_facts(struct textbuf *b, const struct record_run *r)
{
	row_json_begin(b, &r->row, "run");
	quote_json_text(b, "tool", r->tool);
	quote_json_text(b, "version", r->version);
	quote_json_text(b, "host", r->row.host);
	quote_json_number(b, "start_unix_ns", 1, (uint64_t)r->row.unix_ns);
	put_words(b, "argv", r->argv);
	quote_json_text(b, "command", r->command);
	put_labels(b, r->label);
	put_launcher(b, r->launcher);
	quote_json_text(b, "engine", r->engine);
	quote_json_text(b, "model", r->model);
	quote_json_text(b, "reproducible", r->reproducible);
	if (r->tracker)
		quote_json_text(b, "tracker", r->tracker);
	put_host(b, r->host);
	put_number(b, "interval_ns", r->interval_ns > 0 ? r->interval_ns : -1);
	put_cgroups(b, r);
	put_sets(b, r);
	textbuf_char(b, '}');
}

void record_begin(struct textbuf *b, const struct record_run *r)
{
	if (r->text)
		textbuf_str(b, r->text);
	else
		put_facts(b, r);
	textbuf_char(b, '\n');
}

void record_end(struct textbuf *b, const struct row_run *run, const struct record_end *e,
		uint64_t number)
{
	row_json_begin(b, run, "end");
	row_json_time(b, run, e->ns);
	quote_json_number(b, "status", !e->provisional, (uint64_t)e->status);
	quote_json_number(b, "signal", !e->provisional && e->signal, (uint64_t)e->signal);
	quote_json_key(b, "provisional");
	textbuf_str(b, e->provisional ? "true" : "false");
	quote_json_number(b, "records", 1, number);
	quote_json_number(b, "skipped", 1, e->skipped);
	put_number(b, "user_ns", e->use ? e->use->user_ns : -1);
	put_number(b, "system_ns", e->use ? e->use->system_ns : -1);
	put_number(b, "peak_rss_bytes", e->use ? e->use->peak_bytes : -1);
	put_number(b, "command_status",
		   e->has_ended && !e->command_signal ? e->command_status : -1);
	put_number(b, "command_signal",
		   e->has_ended && e->command_signal ? e->command_signal : -1);
	textbuf_str(b, "}\n");
}
