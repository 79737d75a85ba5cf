#include "suite/saved/row.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "suite/row/csv.h"

static int malformed(void)
{
	errno = EINVAL;
	return -1;
}

cpc_class_t saved_class(const char *name)
{
	for (cpc_class_t c = CPC_EXACT; name && c < CPC_UNAVAILABLE; c++)
		if (strcmp(cpc_class_name(c), name) == 0)
			return c;
	return CPC_UNAVAILABLE;
}

/* Returns the number of a member that may be null, or what it is then. */
static int number_or(const struct saved_node *o, const char *key, int otherwise)
{
	uint64_t v;

	return saved_number(o, key, INT_MAX, &v) == 0 ? (int)v : otherwise;
}

/* Make room for n elements of a size. */
static int make_room(void **array, size_t *room, size_t n, size_t size)
{
	void *grown = n < *room ? *array : reallocarray(*array, n + 1, size);

	if (!grown)
		return -1;
	*array = grown;
	if (n >= *room)
		*room = n + 1;
	return 0;
}

static int fill_value(cpc_value_t *v, const struct saved_node *o)
{
	*v = (cpc_value_t){.quality = saved_class(saved_text(o, "class"))};
	if (saved_number(o, "enabled_ns", UINT64_MAX, &v->enabled) == -1 ||
	    saved_number(o, "running_ns", UINT64_MAX, &v->running) == -1)
		return malformed();
	if (v->quality != CPC_UNAVAILABLE &&
	    (saved_number(o, "value", UINT64_MAX, &v->value) == -1 ||
	     saved_number(o, "count", UINT64_MAX, &v->count) == -1))
		return malformed();
	return 0;
}

static int fill_values(struct saved_row *r, const struct saved_node *o,
		       const struct saved_sets *sets)
{
	const struct saved_node *values = saved_member(o, "values");
	uint64_t set;

	if (saved_number(o, "set", UINT_MAX, &set) == -1 || set >= sets->n ||
	    saved_size(values) != sets->set[set].n)
		return malformed();
	r->row.index = (unsigned)set;
	r->row.set = &sets->set[set];
	r->has_tick = saved_number(o, "tsc", UINT64_MAX, &r->row.tick) == 0;
	if (make_room((void **)&r->value, &r->values, r->row.set->n, sizeof *r->value) ==
	    -1)
		return -1;
	const struct saved_node *value = saved_first(values);
	for (unsigned i = 0; i < r->row.set->n; i++) {
		if (fill_value(&r->value[i], value) == -1)
			return -1;
		value = saved_next(values, value);
	}
	r->row.value = r->value;
	return 0;
}

static int fill_statistic(struct saved_row *r, const struct saved_node *o)
{
	const struct saved_node *of = saved_member(o, "of");
	const size_t n = saved_size(of);
	struct row_statistic *s = &r->statistic;

	*s = (struct row_statistic){.name = saved_text(o, "name"),
				    .unit = saved_text(o, "unit"),
				    .value = saved_real(saved_member(o, "value")),
				    .quality = saved_class(saved_text(o, "class"))};
	if (!s->name || !s->unit || !(s->value > -1e12 && s->value < 1e12) || n > 100)
		return malformed();
	if (make_room((void **)&r->of, &r->names, n, sizeof *r->of) == -1)
		return -1;
	for (size_t i = 0; i < n; i++) {
		r->of[i] = saved_string(saved_element(of, i));
		if (!r->of[i])
			return malformed();
	}
	s->n = (unsigned)n;
	s->of = r->of;
	r->row.statistic = s;
	r->row.word = "statistic";
	r->row.kind = ROW_STATISTIC;
	r->row.name = NULL;
	return 0;
}

/* Fill the numbers of a process and an LWP. */
static int fill_lwp(struct row *row, const struct saved_node *o, const char *scope)
{
	row->pid = number_or(o, "pid", 0);
	row->tid = number_or(o, "tid", 0);
	row->lwp = (id_t)number_or(o, "lwp", 0);
	row->name = saved_text(o, "name");
	/* The row "rest" is of a tree by its word. */
	row->tree = strcmp(scope, "tree") == 0 && strcmp(row->word, "rest") != 0;
	return row->pid > 0 ? 0 : malformed();
}

static const struct {
	const char *name;
	enum row_scope scope;
	int is_lwp;
} scopes[] = {
	{"lwp", ROW_LWPS, 1}, {"process", ROW_LWPS, 1}, {"tree", ROW_LWPS, 1},
	{"cpu", ROW_CPUS, 0}, {"core", ROW_CORES, 0},	{"socket", ROW_SOCKETS, 0},
	{"bin", ROW_BINS, 0}, {"all", ROW_CPUS, 0},
};

/*
 * Fill the path of a cgroup, and the scope and the number of the CPU, core or socket that
 * the row is limited to, if there is one.
 */
static int fill_cgroup(struct saved_row *r, const struct saved_node *o, int is_total)
{
	r->row.cgroup = saved_text(o, "id");
	r->row.id = -1;
	r->row.cpus = (unsigned)number_or(o, "cpus", 0);
	r->row.kind = is_total ? ROW_TOTAL : ROW_VALUES;
	r->scope = ROW_CGROUPS;
	/* A row of one CPU has the core and the socket, too. */
	for (enum row_scope s = ROW_SOCKETS; s >= ROW_CPUS; s--)
		if (saved_member(o, row_division(s))) {
			r->scope = s;
			r->row.id = number_or(o, row_division(s), -1);
		}
	return r->row.cgroup && r->row.cpus > 0 ? 0 : malformed();
}

/* Fill what the row is of. */
static int fill_scope(struct saved_row *r, const struct saved_node *o, int is_total)
{
	const char *name = saved_text(o, "scope");

	if (name && strcmp(name, "cgroup") == 0)
		return fill_cgroup(r, o, is_total);
	for (size_t i = 0; name && i < sizeof scopes / sizeof scopes[0]; i++) {
		if (strcmp(scopes[i].name, name) != 0)
			continue;
		r->scope = scopes[i].scope;
		if (scopes[i].is_lwp)
			return fill_lwp(&r->row, o, name);
		r->row.id = number_or(o, "id", -1);
		r->row.cpus = (unsigned)number_or(o, "cpus", 0);
		r->row.kind = strcmp(name, "all") == 0 ? ROW_TOTAL : ROW_VALUES;
		return r->row.cpus > 0 ? 0 : malformed();
	}
	return malformed();
}

/* Fill where the CPU of a row is, and the number of its interval. */
static void fill_place(struct row *row, const struct saved_node *o)
{
	row->core = number_or(o, "core", -1);
	row->socket = number_or(o, "socket", -1);
	saved_number(o, "interval", UINT64_MAX, &row->interval);
}

static int fill_times(struct row *row, const struct saved_node *o)
{
	uint64_t ns, unix_ns;

	if (saved_number(o, "time_ns", INT64_MAX, &ns) == -1 ||
	    saved_number(o, "unix_ns", INT64_MAX, &unix_ns) == -1)
		return malformed();
	row->ns = (int64_t)ns;
	row->unix_ns = (int64_t)unix_ns;
	return 0;
}

int saved_row_read(struct saved_row *r, const struct saved_line *line,
		   const struct saved_sets *sets)
{
	const struct saved_node *o = line->json;
	const int is_statistic = line->kind == SAVED_STATISTIC;

	r->has_tick = 0;
	r->row = (struct row){.word = is_statistic ? "" : saved_text(o, "what")};
	if (!r->row.word || fill_times(&r->row, o) == -1 ||
	    fill_scope(r, o, line->kind == SAVED_TOTAL) == -1)
		return malformed();
	fill_place(&r->row, o);
	if (is_statistic)
		return fill_statistic(r, o);
	if (saved_member(o, "values"))
		return fill_values(r, o, sets);
	r->row.child = number_or(o, "child", 0);
	r->row.cmd = saved_text(o, "command");
	r->row.kind = r->row.child ? ROW_FORK : ROW_EXEC;
	return r->scope == ROW_LWPS ? 0 : malformed();
}

void saved_row_free(struct saved_row *r)
{
	free(r->value);
	free(r->of);
	*r = (struct saved_row){.value = NULL};
}
