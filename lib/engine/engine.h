/*
 * An engine is a place where events are counted: this machine's kernel, or a model.
 * Nothing above this line knows which one counts; nothing below it knows event tables'
 * names for things it cannot count.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <libcpc.h>

struct event;
struct evtab;

/* What a request asks of an engine. */
struct engine_request {
	const char *name;	 /* as it is to be shown */
	const struct event *row; /* row of a table, or NULL: name is the engine's own */
	unsigned flags;		 /* CPC_COUNT_USER | CPC_COUNT_SYSTEM */
	unsigned nattrs;
	const cpc_attr_t *attrs; /* without picnum */
	const struct evtab *tab; /* the processor whose event it is; NULL as row is */
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
	pid_t tid; /* 0: the caller; -1: a CPU */
	int tree;
	int on_exec; /* not from now on, but from the next successful exec of tid */
	int cpu;     /* of tid -1 */
	/*
	 * Overflow, of the caller alone. NULL, or for each evsel: after how many events
	 * (from 1 to 2^63 - 1) all counters freeze and the caller gets signo, its si_fd
	 * telling the group (owns()); 0: never.
	 */
	const uint64_t *after;
	int signo;
};

/* A value that an event is programmed by, as its interface names it. */
struct engine_field {
	const char *name;
	uint64_t value;
	const char *word; /* what that value is called, or NULL */
};

/* A thing that is programmed: a structure of the kernel, an expression of a model. */
struct engine_part {
	const char *name;
	const char *from; /* what it was made from, or NULL */
	unsigned n;
	const struct engine_field *field;
};

/* One value, cumulative since its group was bound. */
struct count {
	uint64_t count;
	uint64_t enabled, running; /* ns */
	int absent; /* the target does not have the event: there is no value */
};

/* What doctor() finds of a thing that was checked. */
enum finding { FINDING_OK, FINDING_LIMITED, FINDING_MISSING, FINDING_INFO };

/* What one record of a sample holds, by index; ENGINE_NITEMS 64-bit words in all. */
enum engine_item {
	ITEM_PC,
	ITEM_TID,
	ITEM_TIME,
	ITEM_ADDR,
	ITEM_CPU,
	ITEM_PERIOD,
	ITEM_LATENCY,
	ITEM_DATA_SRC,
	ENGINE_NITEMS
};

/* How a source of records is to be opened, on the caller. */
struct engine_sampling {
	uint64_t period; /* a record after so many events: 1 to 2^63 - 1 */
	unsigned nrecs;	 /* room for at least twice as many */
	int signo; /* after each nrecs records, its si_fd telling the source; 0: never */
};

/* Of a source, since it was opened. */
struct smpl_state {
	/* records known to be lost, each pause that the kernel made counting as one */
	uint64_t lost;
	uint64_t on; /* ns on a processor */
	int64_t ns;  /* now, CLOCK_MONOTONIC */
};

struct engine;	    /* a session of an engine */
struct smpl_source; /* an event that gives records */
struct evsel;	    /* an event as its engine programs it */
struct group;	    /* a bound list of evsels */

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
	struct evsel *(*encode)(struct engine *e, const struct engine_request *ask,
				struct why *why);
	void (*drop)(struct evsel *s); /* NULL is allowed */
	/* best class that its values can have */
	cpc_class_t (*class)(const struct evsel *s);
	/* "as ~L2_RQSTS:MISS", or NULL if as asked */
	const char *(*note)(const struct evsel *s);

	/*
	 * As encode(), but nothing is opened: what would be programmed if this machine took
	 * it, also of an event of other processors. It is there to be explained and dropped.
	 * The member is NULL in engines that take whatever they encode.
	 */
	struct evsel *(*draft)(struct engine *e, const struct engine_request *ask,
			       struct why *why);
	/*
	 * Call fn for each thing that s is programmed by; the part lives for the call. The
	 * names and words of its fields live for ever.
	 */
	void (*explain)(const struct evsel *s, void *arg,
			void (*fn)(void *arg, const struct engine_part *p));

	/* Open one evsel on the caller and close it again: can it be counted here? */
	int (*probe)(struct engine *e, const struct evsel *s, struct why *why);

	/*
	 * What to execute instead of argv, so that sel[0..n-1] can be counted there; lives
	 * as long as e. NULL: errno as of exec. The member is NULL where argv itself will do.
	 */
	char *const *(*command)(struct engine *e, char *const *argv,
				const struct evsel *const *sel, unsigned n,
				struct why *why);
	/*
	 * Call fn for each thing that a user must know of what was counted so far; returns
	 * how many there were. The member is NULL where there never is one.
	 */
	unsigned (*run_notes)(struct engine *e, void *arg,
			      void (*fn)(void *arg, const char *text));
	/*
	 * "simulated: ...", where it is not this machine that counts; lives as long as e.
	 * The member is NULL where it is.
	 */
	const char *(*notice)(struct engine *e);

	/*
	 * Count sel[0..n-1] together, from now on. The group may outlive nothing of sel.
	 * A CPU may be of another kind than others, or not the one of its package that an
	 * event is read on: what it does not have is left out, and its values are absent.
	 * ENOENT: it has none of them.
	 */
	struct group *(*bind)(struct engine *e, const struct target *t,
			      const struct evsel *const *sel, unsigned n,
			      struct why *why);
	/*
	 * At most how many descriptors a bind of these opens. The member is NULL in engines
	 * that open none.
	 */
	unsigned (*descriptors)(const struct evsel *const *sel, unsigned n);
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

	/* Stop all counters of a group; values stay readable. Async-signal-safe. */
	int (*freeze)(struct group *g);
	/*
	 * Let them count on. after: as in struct target; NULL: each overflow is as far
	 * away as it was, and what has overflowed does not do so again. EINVAL: after has
	 * 0 for an evsel that was not bound with 0, or the other way round.
	 * Async-signal-safe.
	 */
	int (*thaw)(struct group *g, const uint64_t *after);
	/*
	 * Is a signal with this si_fd of g? Each must be asked about once, since what
	 * overflowed is then armed again by the next thaw(). Async-signal-safe. The member
	 * is NULL in engines whose counters give no signals.
	 */
	int (*owns)(struct group *g, int fd);

	/*
	 * Records of events. NULL, all of them, in engines that have none.
	 *
	 * What takes them is called, and for how many events of a set; 0: not here.
	 */
	const char *(*smpl_iname)(struct engine *e);
	unsigned (*smpl_npic)(struct engine *e);
	/*
	 * As encode(); latency: which loads are noted, at least so many cycles, or 0:
	 * whatever the event is. EINVAL: an event that takes no such threshold.
	 */
	struct evsel *(*smpl_encode)(struct engine *e, const struct engine_request *ask,
				     unsigned latency, struct why *why);
	/*
	 * Open one on the caller and close it again: which items have its records (bit n:
	 * item n)? 0: it gives none here, errno and *why say why.
	 */
	uint64_t (*smpl_probe)(struct engine *e, const struct evsel *s, struct why *why);
	/* From now on. It outlives s. */
	struct smpl_source *(*smpl_open)(struct engine *e, const struct evsel *s,
					 const struct engine_sampling *ask,
					 struct why *why);
	void (*smpl_close)(struct smpl_source *src); /* NULL is allowed */
	/* The others are async-signal-safe. Stop, go on, go on with another period. */
	int (*smpl_freeze)(struct smpl_source *src);
	int (*smpl_thaw)(struct smpl_source *src);
	int (*smpl_period)(struct smpl_source *src, uint64_t period);
	/* Is a signal with this si_fd of src, and have nrecs records come since the last? */
	int (*smpl_owns)(struct smpl_source *src, int fd);
	/*
	 * Take up to max records out, oldest first, each ENGINE_NITEMS words from
	 * rec; returns how many. A call that interrupts another of the same source gets
	 * none. -1: as read(2).
	 */
	int (*smpl_read)(struct smpl_source *src, uint64_t *rec, unsigned max,
			 struct smpl_state *state);
};

/* This machine's kernel; a model of a processor, on which a program runs. */
extern const struct engine_ops engine_kernel, engine_sim;

/* Is this program itself simulated? Then engine_sim counts it from inside. */
int engine_inside(void);

#endif
