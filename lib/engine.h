/*
 * An engine is a place where events are counted: this machine's kernel, or a model.
 * Nothing above this line knows which one counts; nothing below it knows event tables'
 * names for things it cannot count.
 */
#ifndef ENGINE_H
#define ENGINE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "libcpc.h"

struct event;

/* What a request asks of an engine. */
struct evask {
	const char *name;	 /* as it is to be shown */
	const struct event *row; /* row of a table, or NULL: name is the engine's own */
	unsigned flags;		 /* CPC_COUNT_USER | CPC_COUNT_SYSTEM */
	unsigned nattrs;
	const cpc_attr_t *attrs; /* without picnum */
};

/*
 * Words for a refusal: what was tried, why it failed, what would help. One line, no
 * newline.
 */
struct why {
	char text[1024];
};

/* What to count: an LWP, an LWP with all it will start, or a CPU, whatever runs there. */
struct target {
	pid_t tid; /* -1: a CPU */
	int tree;
	int cpu; /* of tid -1 */
};

/* One value, cumulative since its group was bound. */
struct count {
	uint64_t count;
	uint64_t enabled, running; /* ns */
};

/* What doctor() finds of a thing that was checked. */
enum finding { FINDING_OK, FINDING_LIMITED, FINDING_MISSING, FINDING_INFO };

struct engine; /* a session of an engine */
struct evsel;  /* an event as its engine programs it */
struct group;  /* a bound list of evsels */

/*
 * The calls of an engine. Those that return int or a pointer give -1 or NULL with errno
 * set on failure and, where they take one, fill *why (never empty after a failure).
 */
struct engine_ops {
	const char *name;

	struct engine *(*open)(struct why *why);
	void (*close)(struct engine *e); /* NULL is allowed */

	/*
	 * What this machine's counters are called (cpc_cciname), and how many a set may
	 * use.
	 */
	const char *(*cciname)(struct engine *e);
	unsigned (*npic)(struct engine *e);

	/* Is name one of the engine's own? Nothing is opened. */
	int (*knows)(struct engine *e, const char *name);

	/* Call fn for each of the engine's own names; title may be NULL. */
	void (*walk)(struct engine *e, void *arg,
		     void (*fn)(void *arg, const char *name, const char *title));

	/*
	 * Attribute names the engine's own events take, ended by NULL; they live as long
	 * as e.
	 */
	const char *const *(*attrs)(struct engine *e);

	/*
	 * Check what the engine stands on, and what would help; a call of say for each
	 * thing.
	 */
	void (*doctor)(struct engine *e, void *arg,
		       void (*say)(void *arg, enum finding finding, const char *what,
				   const char *text));

	/*
	 * Translate a request. ENOENT: no event of this machine; EINVAL: malformed name
	 * or attribute.
	 */
	struct evsel *(*encode)(struct engine *e, const struct evask *ask,
				struct why *why);
	void (*drop)(struct evsel *s); /* NULL is allowed */
	/* best class that its values can have */
	cpc_class_t (*class)(const struct evsel *s);
	/* "as ~L2_RQSTS:MISS", or NULL if as asked */
	const char *(*note)(const struct evsel *s);

	/* Open one evsel on the caller and close it again: can it be counted here? */
	int (*probe)(struct engine *e, const struct evsel *s, struct why *why);

	/*
	 * Count sel[0..n-1] together, from now on. The group may outlive nothing of sel.
	 */
	struct group *(*bind)(struct engine *e, const struct target *t,
			      const struct evsel *const *sel, unsigned n,
			      struct why *why);
	/*
	 * val[0..n-1], the time (CLOCK_MONOTONIC, ns), and the ns that the group has been
	 * on a processor. ENODEV: its CPU went offline, and what would be read does not
	 * move any more, nor when the CPU is back: it must be bound anew.
	 */
	int (*read)(struct group *g, struct count *val, int64_t *ns, uint64_t *on);
	/*
	 * Such ns in cycles of the time-stamp counter; the first call may take 2 ms to
	 * find its rate.
	 */
	uint64_t (*cycles)(struct engine *e, uint64_t on);
	void (*unbind)(struct group *g); /* NULL is allowed */
};

extern const struct engine_ops engine_kernel;

#endif
