#include "suite/request/defaults.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "cpc/cpc.h"
#include "cpc/status.h"

/* The generic events of Linux, by the names of perf-list(1). */
static const char *const software[] = {"task-clock", "context-switches", "page-faults"};
/* Without a clock: that of a CPU never stops, so that its count tells nothing. */
static const char *const of_cpus[] = {"context-switches", "cpu-migrations",
				      "page-faults"};
static const char *const hardware[] = {"instructions",	   "cycles",
				       "branches",	   "branch-misses",
				       "cache-references", "cache-misses"};

/*
 * Every processor with counters can count this event. If it is refused, the others are
 * not tried, because the engine takes long to find out the reason of each refusal.
 */
static const char a_counter[] = "cycles";

enum { NHARDWARE = sizeof hardware / sizeof hardware[0] };
enum { NSOFTWARE = sizeof software / sizeof software[0] };
_Static_assert(NSOFTWARE == sizeof of_cpus / sizeof of_cpus[0], "as many events of CPUs");

static const char *const *software_of(const struct engine_choice *choice, int cpus)
{
	return cpus && !choice->cgroups ? of_cpus : software;
}

/* An event for whose trial memory or descriptors ran out counts as one that works. */
static int can_count(const cpc_t *cpc, const char *name, unsigned flags, int cpus)
{
	const struct engine_ops *ops = cpc->scope.ops;
	char what[2 * CPC_MAX_EVENT_LEN];
	struct resolved m;
	struct why why;

	if (status_resolve(cpc, name, &m, what, sizeof what) == -1)
		return 0;
	const struct engine_request req = {
		.name = name, .row = m.row, .tab = m.tab, .flags = flags};
	struct evsel *sel = status_encode(cpc, ops, cpc->scope.engine, &req, &why);
	const int can = (sel && ops->probe(cpc->scope.engine, sel, cpus, NULL) == 0) ||
			status_is_shortage(errno);
	ops->drop(sel);
	return can;
}

static void add_event(struct textbuf *b, const char *name)
{
	if (b->len)
		textbuf_char(b, ',');
	textbuf_str(b, name);
}

/* Append the events that can be counted. Returns how many they are. */
static unsigned add_events(struct textbuf *b, const cpc_t *cpc, const char *const *name,
			   unsigned n, unsigned flags, int cpus)
{
	unsigned found = 0;

	for (unsigned i = 0; i < n; i++) {
		if (!can_count(cpc, name[i], flags, cpus))
			continue;
		add_event(b, name[i]);
		found++;
	}
	return found;
}

/*
 * A kernel that counts one software event in system mode counts all of them: they need
 * the same permission, and every kernel with perf events has them.
 */
static void add_software(struct textbuf *b, const cpc_t *cpc, const char *const *name,
			 unsigned flags, int cpus)
{
	if (!(flags & CPC_COUNT_SYSTEM)) {
		add_events(b, cpc, name, NSOFTWARE, flags, cpus);
		return;
	}
	for (unsigned i = 0; i < NSOFTWARE; i++)
		add_event(b, name[i]);
}

/* Append the events of the processor that can be counted. Returns how many they are. */
static unsigned add_hardware(struct textbuf *b, const cpc_t *cpc, unsigned flags,
			     int cpus)
{
	const struct engine_ops *ops = cpc->scope.ops;

	if (ops->has_counters && !ops->has_counters(cpc->scope.engine))
		return 0;
	if (!can_count(cpc, a_counter, flags, cpus))
		return 0;
	return add_events(b, cpc, hardware, NHARDWARE, flags, cpus);
}

/* The simulator has no kernel; who may not count in the kernel counts user mode. */
static unsigned modes(const cpc_t *cpc, int cpus)
{
	const unsigned both = CPC_COUNT_USER | CPC_COUNT_SYSTEM;

	return cpc->scope.ops != &engine_sim && can_count(cpc, "page-faults", both, cpus)
		       ? both
		       : CPC_COUNT_USER;
}

static int find_with(struct defaults *d, const struct engine_choice *choice,
		     const cpc_t *cpc, int cpus)
{
	const unsigned flags = modes(cpc, cpus);
	struct textbuf b = {0};

	add_software(&b, cpc, software_of(choice, cpus), flags, cpus);
	d->no_counters = add_hardware(&b, cpc, flags, cpus) == 0;
	if (!b.failed && b.len == 0)
		return 0;
	if (flags & CPC_COUNT_SYSTEM)
		textbuf_str(&b, ",sys");
	d->spec = textbuf_end(&b);
	return d->spec ? 0 : -1;
}

static int find_by(struct defaults *d, const struct engine_choice *choice,
		   const char *engine, int cpus)
{
	cpc_t *cpc = cpc_open_cpu(CPC_VER_CURRENT, choice->cpu, engine);

	if (!cpc)
		return -1;
	const int rc = find_with(d, choice, cpc, cpus), e = errno;
	/* The first engine that is tried is the first that choose_engine() tries. */
	if (rc == 0 && !d->session) {
		d->session = cpc;
		d->tried = d->spec != NULL;
	} else {
		cpc_close(cpc);
	}
	errno = e;
	return rc;
}

static int can_simulate(void)
{
	struct why why;
	struct engine *sim = engine_sim.open(&why);

	engine_sim.close(sim);
	return sim != NULL;
}

int defaults_find(struct defaults *d, const struct engine_choice *choice, int cpus)
{
	const char *engine = choose_engine_wanted(choice);

	*d = (struct defaults){0};
	if (find_by(d, choice, engine ? engine : "kernel", cpus) == -1)
		return -1;
	d->can_simulate = !cpus && !choice->running && d->no_counters && can_simulate();
	if (!d->spec && !engine && d->can_simulate &&
	    find_by(d, choice, "sim", cpus) == -1)
		return -1;
	if (d->spec)
		return 0;
	d->no_counters = 0;
	d->spec = strdup("page-faults");
	return d->spec ? 0 : -1;
}
