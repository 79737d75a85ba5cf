/*
 * An engine counts events: on this machine by its kernel, or on a model of a processor.
 * The code above this interface does not know which engine counts; an engine knows event
 * tables only through the rows that requests name.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <libcpc.h>

struct event;
struct evtab;

/* The most counters that an engine has. */
enum { ENGINE_MOST_PICS = 256 };

/*
 * Masks of counters have a bit for each counter. Bit 63 is counter 63 and all above it:
 * only an engine has so many counters, which are all alike.
 */
static inline uint64_t engine_pic_bit(uint64_t pic)
{
	return UINT64_C(1) << (pic < 63 ? pic : 63);
}

/* A request for one event. */
struct engine_request {
	const char *name; /* the name that messages show */
	const struct event
		*row;	/* row of a table; NULL: name is one of the engine's own */
	unsigned flags; /* CPC_COUNT_USER | CPC_COUNT_SYSTEM */
	unsigned nattrs;
	const cpc_attr_t *attrs; /* without picnum */
	const struct evtab *tab; /* the table of row; NULL if row is NULL */
};

/* The accesses that a breakpoint counts. */
enum engine_access {
	ENGINE_ANY, /* not given */
	ENGINE_EXECUTE,
	ENGINE_READ,
	ENGINE_WRITE,
	ENGINE_READ_WRITE
};

/* The place of a breakpoint whose event has a name instead of an address. */
struct engine_place {
	uint64_t address;
	uint64_t length; /* of data; 0: the default */
	enum engine_access access;
	/*
	 * Not the place of the name: the count only shows whether the address was
	 * executed, and values are absent.
	 */
	int is_provisional;
};

/*
 * A message about a refusal: what was tried, why it failed, what would help. One line
 * without a newline.
 */
struct why {
	char text[1024];
};

/* A cgroup. Its counts contain those of the processes of all cgroups below it. */
struct engine_cgroup {
	int fd;		  /* open(2) of its folder, in the hierarchy that counts events */
	const char *path; /* for messages */
};

/* The thing to count: an LWP, an LWP and all that it will start, or a CPU. */
struct target {
	pid_t tid; /* 0: the caller; -1: a CPU, whatever runs on it */
	pid_t pid; /* the process of tid, if tid is greater than 0 */
	int tree;  /* also count all that the LWP will start */
	/*
	 * Also count the LWPs that the LWP will create in its process. Linux before 5.13
	 * refuses this (EINVAL); the simulator ignores this member.
	 */
	int threads;
	int on_exec; /* start at the next successful exec of tid, not now */
	int cpu;     /* if tid is -1 */
	/*
	 * If tid is -1: count only what runs in this cgroup; NULL: whatever runs. Counts
	 * are enabled only while the cgroup runs on the CPU, and only bind() uses fd.
	 */
	const struct engine_cgroup *cgroup;
	/*
	 * NULL, or for each evsel the number of its turn: evsels of one turn are counted
	 * at the same time, and turns may alternate. There is no overflow then. An engine
	 * that can count all evsels all the time ignores this member.
	 */
	const unsigned char *turn;
	/*
	 * Overflow; not of a CPU. NULL, or for each evsel the number of events (1 to
	 * 2^63 - 1) after which all counters freeze and the LWP gets signo, whose si_fd
	 * identifies the group (owns()); 0: the evsel never overflows.
	 */
	const uint64_t *after;
	int signo;
	/*
	 * The counters do not freeze: signo comes after every so many events. EINVAL: an
	 * event is a clock of the kernel, and its signals would leave the LWP no time.
	 */
	int repeats;
};

/* A value that programs an event, under the name that its interface gives it. */
struct engine_field {
	const char *name;
	uint64_t value;
	const char *word; /* the name of this value, or NULL */
};

/* Something that programs an event: a kernel structure, an expression of a model. */
struct engine_part {
	const char *name;
	const char *from; /* the text that it was made from, or NULL */
	unsigned n;
	const struct engine_field *field;
};

/* One value, cumulative since its group was bound. */
struct count {
	uint64_t count;
	uint64_t enabled, running; /* ns */
	int absent;	 /* the target does not have the event: there is no value */
	int approximate; /* libcpc has corrected the count; engines leave this 0 */
};

/* The result of one check of doctor(). */
enum finding { FINDING_OK, FINDING_LIMITED, FINDING_MISSING, FINDING_INFO };

/* The items of a record, by index; a record has ENGINE_NITEMS 64-bit words. */
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

/* How to open a source of records on the caller. */
struct engine_sampling {
	uint64_t period; /* events from one record to the next: 1 to 2^63 - 1 */
	unsigned nrecs; /* the source must have room for at least twice as many records */
	int signo; /* sent after each nrecs records; si_fd is of the source; 0: none */
};

/* The state of a source since it was opened. */
struct smpl_state {
	/* records known to be lost; a pause that the kernel made counts as one */
	uint64_t lost;
	uint64_t on; /* ns on a processor */
	int64_t ns;  /* now, CLOCK_MONOTONIC */
};

/* The origin of an event's counts. */
enum source {
	SOURCE_COUNTER,	   /* a counter of the processor or of the model */
	SOURCE_COSTS,	   /* cycles that the model estimates, mostly from costs */
	SOURCE_CLOCK,	   /* a clock of the kernel, in ns */
	SOURCE_SWITCHES,   /* the scheduler: each stop for a tracer counts too */
	SOURCE_SCHEDULER,  /* the scheduler: a stop for a tracer can cause a count */
	SOURCE_SOFTWARE,   /* another software event of the kernel */
	SOURCE_TRACEPOINT, /* a tracepoint of the kernel */
	SOURCE_BREAKPOINT, /* a debug register of the processor */
};

enum engine_names {
	ENGINE_EVENTS = 1,	/* all names but those of tracepoints */
	ENGINE_TRACEPOINTS = 2, /* of which a kernel has thousands */
	ENGINE_ALL_NAMES = ENGINE_EVENTS | ENGINE_TRACEPOINTS
};

/* A walk over an engine's own event names. */
struct engine_walk {
	unsigned kinds; /* of enum engine_names */
	void *arg;
	/* Called for each name, which is valid during the call; title may be NULL. */
	void (*name)(void *arg, const char *name, const char *title);
	/*
	 * NULL, or called for each list of names that cannot be read: a sentence says
	 * which one, why, and what would help.
	 */
	void (*unread)(void *arg, const char *text);
};

struct machine;

/* The user's choice of the machine that is simulated; machine NULL and nset 0: none. */
struct engine_machine {
	const struct machine *machine; /* NULL: the machine of the events' table */
	const char *name;	       /* what the user called it, if it is not NULL */
	unsigned nset;
	/* KEY=VALUE: changes; if machine is not NULL, it has them already */
	const char *const *set;
};

struct engine;		 /* a session of an engine */
struct smpl_source;	 /* an open event that gives records */
struct evsel;		 /* an event as its engine programs it */
struct engine_lifetimes; /* engine/lifetimes.h */
struct group;		 /* evsels that are bound together */
struct engine_by_code;	 /* engine/by_code.h */

/*
 * The operations of an engine. Operations that return int or a pointer return -1 or NULL
 * with errno set on failure, and fill *why if they have that parameter; it is never empty
 * after a failure.
 */

/*
 * Records of events. An evsel of encode() serves probe() and open() only, and is freed by
 * drop() of struct engine_ops.
 */
struct engine_records {
	/* The name of the facility that takes records (cpc_smpl_iname). */
	const char *(*iname)(struct engine *e);
	/* How many events of a set can give records; 0: none on this machine. */
	unsigned (*npic)(struct engine *e);
	/*
	 * Like encode() of struct engine_ops. latency: only loads that took at least so
	 * many cycles give records; 0: no threshold. EINVAL: the event takes no
	 * threshold.
	 */
	struct evsel *(*encode)(struct engine *e, const struct engine_request *req,
				unsigned latency, struct why *why);
	/*
	 * Open the event on the caller and close it again. Returns the items that its
	 * records have (bit n: item n); 0 with errno and *why if it gives no records.
	 */
	uint64_t (*probe)(struct engine *e, const struct evsel *s, struct why *why);
	/*
	 * Start to take records. The source does not need s any more. EINVAL: as of
	 * period().
	 */
	struct smpl_source *(*open)(struct engine *e, const struct evsel *s,
				    const struct engine_sampling *how, struct why *why);
	void (*close)(struct smpl_source *src); /* NULL is allowed */

	/* The operations from here on are async-signal-safe. */

	/*
	 * Stop a source, restart it, set the period that it counts down from. EINVAL: the
	 * event is a clock of the kernel, and the period would leave the LWP no time.
	 */
	int (*freeze)(struct smpl_source *src);
	int (*thaw)(struct smpl_source *src);
	int (*period)(struct smpl_source *src, uint64_t period);
	/*
	 * Does a signal with this si_fd come from src, and have nrecs records arrived
	 * since the last such signal?
	 */
	int (*owns)(struct smpl_source *src, int fd);
	/*
	 * Move up to max records, oldest first, into rec, ENGINE_NITEMS words each.
	 * Returns how many; 0 if the call interrupted another read of the same source; -1
	 * with the errno of read(2).
	 */
	int (*read)(struct smpl_source *src, uint64_t *rec, unsigned max,
		    struct smpl_state *state);
};

/*
 * What an engine can report about its events and its machine. modes, draft, run_notes,
 * notice, model and level are NULL in an engine that has nothing to report there.
 */
struct engine_words {
	/* How s differs from the request ("as ~L2_RQSTS:MISS"); NULL: not at all. */
	const char *(*note)(const struct evsel *s);
	/*
	 * Returns the modes in which s is counted, CPC_COUNT_USER and CPC_COUNT_SYSTEM.
	 * NULL: the modes of the request.
	 */
	unsigned (*modes)(const struct evsel *s);
	/*
	 * Call fn for each part that s is programmed by. A part lives during the call;
	 * the names and words of its fields live for ever.
	 */
	void (*explain)(const struct evsel *s, void *arg,
			void (*fn)(void *arg, const struct engine_part *p));
	/*
	 * Like encode() of struct engine_ops, but opens nothing and also takes events of
	 * other processors. The result can only be explained and dropped.
	 */
	struct evsel *(*draft)(struct engine *e, const struct engine_request *req,
			       struct why *why);
	/*
	 * Check what the engine depends on; call report for each thing, with its state
	 * and with what would help.
	 */
	void (*doctor)(struct engine *e, void *arg,
		       void (*report)(void *arg, enum finding finding, const char *what,
				      const char *text));
	/*
	 * Call fn for each remark on the values counted so far; returns the number of
	 * remarks.
	 */
	unsigned (*run_notes)(struct engine *e, void *arg,
			      void (*fn)(void *arg, const char *text));
	/*
	 * Returns 1 if nothing of the program that command() started was counted, because
	 * the command ended before, or if the engine could not go on and ended a process
	 * of the program; else 0. NULL in an engine that starts programs as they are.
	 */
	int (*run_failed)(struct engine *e);
	/* "simulated: ..."; lives as long as e. */
	const char *(*notice)(struct engine *e);
	/*
	 * The name of the model's machine ("r10000"), with a hash of its values if the
	 * user chose or changed it ("r10000:0123456789abcdef"), or NULL; lives as long as
	 * e.
	 */
	const char *(*model)(struct engine *e);
	/* The level of reproduce(), which lives for ever, or NULL. */
	const char *(*level)(struct engine *e);
};

/*
 * The operations that every engine has. has_counters, command, reproduce, lacking,
 * descriptors and owns may be NULL: the machine has counters, the program runs as it is,
 * encode() refuses what the machine does not have, a bind opens no descriptors, counters
 * send no signals.
 */
struct engine_ops {
	const char *name;
	const struct engine_records *records; /* NULL: the engine takes no records */
	/* NULL: only a tracer sees LWPs. By records of the kernel; by BPF programs. */
	const struct engine_lifetimes *lifetimes, *bpf_lifetimes;
	const struct engine_words *words;     /* never NULL */
	const struct engine_by_code *by_code; /* NULL: it counts totals only */

	struct engine *(*open)(struct why *why);
	void (*close)(struct engine *e); /* NULL is allowed */
	/*
	 * Simulate this machine; before the first encode(). The strings live as long as
	 * e; the machine is copied. ENOTSUP: this program runs on another machine's
	 * model. NULL in an engine that does not simulate.
	 */
	int (*machine)(struct engine *e, const struct engine_machine *m, struct why *why);

	/*
	 * Let kernel count the software events of the kernel, beside the engine's own
	 * events; before the first encode(). NULL in an engine that counts them itself.
	 */
	void (*beside)(struct engine *e, const struct engine_ops *kernel);

	/* The name of the machine's counters (cpc_cciname). */
	const char *(*cciname)(struct engine *e);
	/* How many counters a set may use. */
	unsigned (*npic)(struct engine *e);
	/*
	 * Returns 0 if the machine has no counters of the processor, so that encode()
	 * would refuse each event that needs one; 1 if it may have some. This is much
	 * faster than a refusal, whose reason must be found. NULL in an engine whose
	 * machine always has counters.
	 */
	int (*has_counters)(struct engine *e);

	/* Is name one of the engine's own event names? Opens nothing. */
	int (*knows)(struct engine *e, const char *name);

	/* Report the engine's own event names. Keeps errno. */
	void (*walk)(struct engine *e, const struct engine_walk *w);

	/*
	 * The names of the attributes that the engine's own events take, ended by NULL;
	 * they live as long as e.
	 */
	const char *const *(*attrs)(struct engine *e);

	/*
	 * Translate a request. ENOENT: this machine does not have the event; EINVAL:
	 * malformed name or attribute.
	 */
	struct evsel *(*encode)(struct engine *e, const struct engine_request *req,
				struct why *why);
	void (*drop)(struct evsel *s); /* NULL is allowed */
	/*
	 * If encode() has found that this machine does not have the event of s, for
	 * whatever target: returns the message that a bind fails with (ENOENT), which
	 * lives as long as s; else NULL.
	 */
	const char *(*lacking)(const struct evsel *s);
	/* The best class that values of s can have. */
	cpc_class_t (*class)(const struct evsel *s);
	/* Returns the origin of the counts of s. NULL: all events are SOURCE_COUNTER. */
	enum source (*source)(const struct evsel *s);
	/*
	 * Open s and close it again: can it be counted on the caller, or, if cpus is not
	 * 0, on some CPU that the caller may run on? why may be NULL: to find the reason
	 * of a refusal takes long.
	 */
	int (*probe)(struct engine *e, const struct evsel *s, int cpus, struct why *why);

	/*
	 * Let the programs of command() run the same on every machine, on a processor of
	 * a level of x86-64: "v1", "v2" or "v3". Returns 0, or -1 with ENOTSUP: this
	 * machine cannot run programs of the level. NULL in an engine that starts
	 * programs as they are.
	 */
	int (*reproduce)(struct engine *e, const char *level, struct why *why);

	/*
	 * The command to execute instead of argv, so that sel[0..n-1] can be counted;
	 * lives as long as e. NULL: errno as exec(3) sets it, or ENOTSUP if the engine
	 * cannot count the program.
	 */
	char *const *(*command)(struct engine *e, char *const *argv,
				const struct evsel *const *sel, unsigned n,
				struct why *why);

	/*
	 * Count sel[0..n-1] together, from now on. sel must live as long as the group.
	 * Events that a CPU does not have (its core is of another kind, or another CPU of
	 * the package counts them) are left out, and their values are absent. ENOENT: the
	 * CPU has none of the events.
	 */
	struct group *(*bind)(struct engine *e, const struct target *t,
			      const struct evsel *const *sel, unsigned n,
			      struct why *why);
	/* The largest number of descriptors that a bind of sel[0..n-1] opens. */
	unsigned (*descriptors)(const struct evsel *const *sel, unsigned n);
	/*
	 * Read val[0..n-1], the time (ns of CLOCK_MONOTONIC, unless ns is NULL), and for
	 * how many ns the group has been on a processor (unless on is NULL). ENODEV: its
	 * CPU went offline; the values do not change any more, even when the CPU is back,
	 * and the events must be bound again.
	 */
	int (*read)(struct group *g, struct count *val, int64_t *ns, uint64_t *on);
	/*
	 * Read n groups that count CPUs, or cgroups there, as read(): group i has its
	 * values at val[i * width], and its time at on[i]. Returns how many were read; if
	 * they are less than n, errno says why the next one cannot be read. NULL in an
	 * engine that does not count CPUs.
	 */
	unsigned (*read_all)(struct group *const *g, unsigned n, unsigned width,
			     struct count *val, uint64_t *on);
	/*
	 * Convert the ns on a processor into cycles of the time-stamp counter. The first
	 * call may take 2 ms to measure the counter's rate.
	 */
	uint64_t (*cycles)(struct engine *e, uint64_t on);
	void (*unbind)(struct group *g); /* NULL is allowed */
	/*
	 * Move the breakpoint of s, which is sel[i] of g and was encoded from a name; its
	 * count begins at 0. Before the first call, and while place is NULL, its values
	 * are absent. NULL in an engine without breakpoints.
	 */
	int (*place)(struct group *g, const struct evsel *s, unsigned i,
		     const struct engine_place *place, struct why *why);

	/* Stop all counters of a group; values stay readable. Async-signal-safe. */
	int (*freeze)(struct group *g);
	/*
	 * Restart the counters. after: as in struct target; NULL: each overflow stays as
	 * far away as it was, and an event that has overflowed does not overflow again.
	 * EINVAL: after is 0 for an evsel that was bound with another value, or the other
	 * way round. Async-signal-safe.
	 */
	int (*thaw)(struct group *g, const uint64_t *after);
	/*
	 * Does a signal with this si_fd come from g? Call this once for each signal: it
	 * marks the event as overflowed, and the next thaw() arms the event again.
	 * Async-signal-safe.
	 */
	int (*owns)(struct group *g, int fd);
};

/* Counts by this machine's kernel; counts on a model of a processor. */
extern const struct engine_ops engine_kernel, engine_sim;

/*
 * Does this program run on the model? Then engine_sim counts the program from inside.
 */
int engine_inside(void);

#endif
