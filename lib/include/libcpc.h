/*
 * libcpc: count processor events for LWPs and CPUs, after Solaris libcpc(3LIB) version 2.
 *
 * A cpc_t is a session; it owns the sets and bufs made from it, and cpc_close() frees all
 * of them. A set is a list of requests that are counted together; a buf holds one sample
 * of a set. Calls return 0 or a pointer; on failure -1 or NULL with errno set. Where
 * words can tell more than errno, they go to the error handler (cpc_seterrhndlr), and
 * errno is kept across it. Source: cpc(3CPC) and the manual pages it names; what is ours
 * says so.
 */
#ifndef LIBCPC_H
#define LIBCPC_H

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/types.h>

#include <libpctx.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CPC_VER_NONE	0
#define CPC_VER_CURRENT 2

/* Request flags. The value of CPC_HW_SMPL was never published; this one is ours. */
#define CPC_OVF_NOTIFY_EMT 0x1	/* signal when the counter overflows */
#define CPC_COUNT_USER	   0x2	/* count in user mode */
#define CPC_COUNT_SYSTEM   0x4	/* count in system mode */
#define CPC_HW_SMPL	   0x10 /* take records of the event, do not count it */

/*
 * Flags of cpc_bind_curlwp(). LWPs that the calling one creates by pthread_create(3) from
 * now on get a copy of the set, and so do those that they create; not those that the C
 * library makes for itself (timers, aio).
 */
#define CPC_BIND_LWP_INHERIT 0x1

/* Flags of cpc_bind_pctx(), ours (Solaris wants 0), and of cpc_bind_child(). */
#define CPC_BIND_TREE 0x100 /* count the LWP and everything it will start, as one sum */
#define CPC_BIND_EXEC 0x200 /* of cpc_bind_child(): from its next successful exec on */

/* Flags of cpc_bind_cpu(): what happens to the calling LWP. */
#define CPC_FLAGS_DEFAULT 0
#define CPC_FLAGS_NORELE  0x01	/* it stays on the CPU after cpc_unbind() */
#define CPC_FLAGS_NOPBIND 0x02	/* it is there already */
#define CPC_FLAGS_REMOTE  0x100 /* ours: it is wherever it likes */

/* cpc_caps(); the values of the last two are ours. */
#define CPC_CAP_OVERFLOW_INTERRUPT 0x1 /* CPC_OVF_NOTIFY_EMT can be had */
#define CPC_CAP_OVERFLOW_PRECISE   0x2 /* it is known which counter overflowed */
#define CPC_CAP_SMPL		   0x4 /* CPC_HW_SMPL can be had */
#define CPC_CAP_OVERFLOW_SMPL	   0x8 /* ... and signals */

/*
 * Linux has no such signal on most processors: a real-time signal stands for it, which
 * the program must leave to this library, as the one behind it. si_code is EMT_CPCOVF,
 * si_addr the program counter at the overflow.
 */
#ifndef SIGEMT
#define SIGEMT 55 /* and 56 is the library's own */
#endif
#ifndef EMT_CPCOVF
#define EMT_CPCOVF 1
#endif

/*
 * The examples of cpc_bind_curlwp(3CPC) take these for granted: the number of the calling
 * LWP, which is its thread id, and where the program counter and the stack pointer are in
 * uc_mcontext.gregs (REG_RIP and REG_RSP of <sys/ucontext.h>; other processors of Linux
 * have no gregs). A program that has such names of its own defines CPC_NO_SOLARIS_NAMES.
 */
#ifndef CPC_NO_SOLARIS_NAMES
int _lwp_self(void);
#ifdef __x86_64__
enum { SP = 15, PC = 16 };
#endif
#endif

#define CPC_MAX_EVENT_LEN 512
#define CPC_MAX_ATTR_LEN  32
#define CPC_MAX_IMPL_NAME 512
#define CPC_MAX_CPUREF	  1024

/* Subcodes that the error handler gets; numbers and texts are libcpc's. */
#define CPC_INVALID_EVENT	    1
#define CPC_INVALID_PICNUM	    2
#define CPC_INVALID_ATTRIBUTE	    3
#define CPC_ATTRIBUTE_OUT_OF_RANGE  4
#define CPC_RESOURCE_UNAVAIL	    5
#define CPC_PIC_NOT_CAPABLE	    6
#define CPC_REQ_INVALID_FLAGS	    7
#define CPC_CONFLICTING_REQS	    8
#define CPC_ATTR_REQUIRES_PRIVILEGE 9
#define CPC_PBIND_FAILED	    10
#define CPC_HV_NO_ACCESS	    11
/* ours: the text says what refused and what would help */
#define CPC_REFUSED 100

typedef struct __cpc cpc_t;
typedef struct __cpc_set cpc_set_t;
typedef struct __cpc_buf cpc_buf_t;
typedef int64_t hrtime_t; /* ns */
typedef int processorid_t;

typedef struct {
	char *ca_name;
	uint64_t ca_val;
} cpc_attr_t;

typedef void(cpc_errhndlr_t)(const char *fn, int subcode, const char *fmt, va_list ap);

/* ver must be CPC_VER_CURRENT. NULL: EINVAL (other version), ENOMEM. */
cpc_t *cpc_open(int ver);

/*
 * Ours. The same, for a chosen processor's event table (cpu: "us3", "r10000", ...; NULL:
 * this machine's own names) and engine ("auto", "kernel", "sim"; NULL is "auto"). NULL: EINVAL
 * (no such table or engine; cpc_cpus() lists the tables).
 */
cpc_t *cpc_open_cpu(int ver, const char *cpu, const char *engine);

/* Unbind and free all sets and bufs, then the session. Always 0; NULL is allowed. */
int cpc_close(cpc_t *cpc);

/*
 * NULL restores the default, which prints "libcpc: FN: TEXT" on stderr. 0; -1, EINVAL: no
 * session.
 */
int cpc_seterrhndlr(cpc_t *cpc, cpc_errhndlr_t *fn);

uint_t cpc_npic(cpc_t *cpc);
uint_t cpc_caps(cpc_t *cpc);

/* Name of the counter interface; the processor's manual. Live as long as cpc. */
const char *cpc_cciname(cpc_t *cpc);
const char *cpc_cpuref(cpc_t *cpc);

/* NULL: ENOMEM. */
cpc_set_t *cpc_set_create(cpc_t *cpc);

/* Unbind and free. EINVAL: not a set of this session. */
int cpc_set_destroy(cpc_t *cpc, cpc_set_t *set);

/*
 * Ours: an unbound set with the same requests. Cheap: what was looked up for the first is
 * shared. NULL: ENOMEM, EINVAL (not a set of this session).
 */
cpc_set_t *cpc_set_dup(cpc_t *cpc, const cpc_set_t *set);

/*
 * Add a request to a set that is not bound and was not duplicated; attrs are copied.
 * Returns its index, 0 for the first. -1: EINVAL (bound set, unknown event or attribute,
 * counter that cannot count it), ENOMEM, or what the engine says of an event that this
 * machine cannot count (ENOENT, EACCES, ...).
 */
int cpc_set_add_request(cpc_t *cpc, cpc_set_t *set, const char *event, uint64_t preset,
			uint_t flags, uint_t nattrs, const cpc_attr_t *attrs);

/* Call action for each request, newest first. */
void cpc_walk_requests(cpc_t *cpc, cpc_set_t *set, void *arg,
		       void (*action)(void *arg, int index, const char *event,
				      uint64_t preset, uint_t flags, int nattrs,
				      const cpc_attr_t *attrs));

/*
 * A buf with a value for each request that the set has now, all zero. NULL: EINVAL,
 * ENOMEM.
 */
cpc_buf_t *cpc_buf_create(cpc_t *cpc, cpc_set_t *set);
int cpc_buf_destroy(cpc_t *cpc, cpc_buf_t *buf);

/*
 * EINVAL: no such index, or a request that is not counted (CPC_HW_SMPL). A value that was
 * not counted all the time is scaled (cpc_buf_value).
 */
int cpc_buf_get(cpc_t *cpc, cpc_buf_t *buf, int index, uint64_t *val);
int cpc_buf_set(cpc_t *cpc, cpc_buf_t *buf, int index, uint64_t val);

/* When the sample was taken, ns of CLOCK_MONOTONIC; 0: never. */
hrtime_t cpc_buf_hrtime(cpc_t *cpc, cpc_buf_t *buf);

/*
 * Cycles of the time-stamp counter for which the set has been on the processor since it
 * was bound.
 */
uint64_t cpc_buf_tick(cpc_t *cpc, cpc_buf_t *buf);

/*
 * ds = a - b, ds = a + b, per index and for tick, modulo 2^64; ds gets the later time of
 * the two, and no records. A request that one of a and b has no value for (CPC_UNAVAILABLE
 * because its CPU does not have the event) has none in their difference, and in their sum if
 * neither was counted. Copies have the records too. Bufs of different sizes (or room
 * for records): nothing happens.
 */
void cpc_buf_sub(cpc_t *cpc, cpc_buf_t *ds, cpc_buf_t *a, cpc_buf_t *b);
void cpc_buf_add(cpc_t *cpc, cpc_buf_t *ds, cpc_buf_t *a, cpc_buf_t *b);
void cpc_buf_copy(cpc_t *cpc, cpc_buf_t *ds, cpc_buf_t *src);
void cpc_buf_zero(cpc_t *cpc, cpc_buf_t *buf);

/*
 * Hardware sampling (Solaris 11): a request with CPC_HW_SMPL is not counted. Every
 * 2^64 - preset of its events a record is noted of the moment; cpc_set_sample() moves the
 * oldest of them into the buf, at most smpl_nrecs of them, which may be sampled again
 * until fewer come. With CPC_OVF_NOTIFY_EMT the LWP gets SIGEMT after each smpl_nrecs
 * records, and sampling goes on. Attributes of such a request:
 *   smpl_nrecs        must be given: 1 to cpc_get_smpl_max_rec_count()
 *   ld_lat_threshold  note loads that take at least so many cycles, 1 to 65535; for
 *                     events that have such a threshold alone
 * They are bound by cpc_bind_curlwp() alone: the other binds fail with ENOTSUP.
 *
 * A record is an array of uint64_t. Oracle never published its items; these are ours, as
 * 0 "pc", 1 "tid", 2 "time" (ns of CLOCK_MONOTONIC), 3 "addr" (what was accessed), 4
 * "cpu", 5 "period" (events since the record before), 6 "latency" (cycles), 7 "data_src"
 * (perf_event_open(2), union perf_mem_data_src). What an event has no value for is a
 * hole, with 0 in it: software events have no period, as they have the one asked for.
 */

/* How many events a set may sample: 0, this machine cannot. And by what, as cpc. */
uint_t cpc_smpl_npic(cpc_t *cpc);
const char *cpc_smpl_iname(cpc_t *cpc);

/*
 * Of the walks below: what is counted, or what gives records; the values are ours. Other
 * targets: errno EINVAL, no calls.
 */
#define CPC_TARGET_CPC	1
#define CPC_TARGET_SMPL 2

/* cpc_walk_events_all(), cpc_walk_events_pic() and cpc_walk_attrs() for a target. */
void cpc_walk_events_all_common(cpc_t *cpc, void *arg, int target,
				void (*action)(void *arg, const char *event));
void cpc_walk_events_pic_common(cpc_t *cpc, uint_t picno, void *arg, int target,
				void (*action)(void *arg, uint_t picno,
					       const char *event));
void cpc_walk_attrs_common(cpc_t *cpc, void *arg, int target,
			   void (*action)(void *arg, const char *attr));

/*
 * Each item that a record may have / that those of a request have, by ascending index;
 * names live as long as cpc. The second sets errno only if it fails: EINVAL, no such
 * index, or a request that is not CPC_HW_SMPL.
 */
void cpc_walk_smpl_recitems(cpc_t *cpc, void *arg,
			    void (*action)(void *arg, const char *name, int rec_idx));
void cpc_walk_smpl_recitems_req(cpc_t *cpc, cpc_set_t *set, int index, void *arg,
				void (*action)(void *arg, cpc_set_t *set, int index,
					       const char *name, int rec_idx));

/* The highest value of smpl_nrecs. */
uint_t cpc_get_smpl_max_rec_count(cpc_t *cpc);

/*
 * How many records of a request are in a buf; one item of one; one, alive until the buf
 * is changed. -1 or NULL: EINVAL, no such index, record or item, or a request that is not
 * CPC_HW_SMPL.
 */
int cpc_buf_smpl_rec_count(cpc_t *cpc, cpc_buf_t *buf, int index, uint_t *count);
int cpc_buf_smpl_get_item(cpc_t *cpc, cpc_buf_t *buf, int index, uint_t record, int item,
			  uint64_t *val);
uint64_t *cpc_buf_smpl_get_record(cpc_t *cpc, cpc_buf_t *buf, int index, uint_t record);

/*
 * Ours: how many records of a request had been lost since the set was bound, because they
 * were not fetched in time or came too fast for the kernel, which then pauses: at least
 * one for each pause. EINVAL: as above.
 */
int cpc_buf_smpl_lost(cpc_t *cpc, cpc_buf_t *buf, int index, uint64_t *lost);

/* Ours: how a value was obtained, from best to none. */
typedef enum {
	CPC_EXACT,
	CPC_SIMULATED, /* exact, of a modelled processor */
	/* counted part of the time, value is count * enabled / running */
	CPC_SCALED,
	CPC_APPROXIMATE, /* counted by an event of this machine that is near, not equal */
	CPC_ESTIMATED,	 /* computed from a cost table */
	CPC_UNAVAILABLE	 /* not counted: there is no value */
} cpc_class_t;

typedef struct {
	/* what cpc_buf_get() gives; without meaning if quality is CPC_UNAVAILABLE */
	uint64_t value;
	uint64_t count;	  /* as counted */
	uint64_t enabled; /* ns for which the event was to be counted */
	uint64_t running; /* ns for which it was */
	cpc_class_t quality;
} cpc_value_t;

/* Ours. EINVAL: no such index. */
int cpc_buf_value(cpc_t *cpc, const cpc_buf_t *buf, int index, cpc_value_t *val);

/* Ours: "exact", "scaled", ... */
const char *cpc_class_name(cpc_class_t quality);

/*
 * Ours: how a request is counted here ("as ~L2_RQSTS:MISS"), or NULL if as asked. Lives
 * as long as the set.
 */
const char *cpc_request_note(cpc_t *cpc, const cpc_set_t *set, int index);

/*
 * Count an LWP of a process that pctx controls (lwpid: its number in that process).
 * flags: 0 or CPC_BIND_TREE. EINVAL: empty set, set of another session, requests that no
 * assignment of counters satisfies. ESRCH: no such LWP. EACCES, EPERM, ENOENT, EMFILE,
 * ...: the handler is told why.
 */
int cpc_bind_pctx(cpc_t *cpc, pctx_t *pctx, id_t lwpid, cpc_set_t *set, uint_t flags);

/*
 * Ours. Count a process that the caller has forked and that is not under libpctx, its first
 * LWP alone or, CPC_BIND_TREE, with everything that it will start: after all of that has
 * ended, the set's values are the sum. Several sets may be bound to one child. flags:
 * CPC_BIND_TREE, CPC_BIND_EXEC (until the next successful exec nothing is counted). Errors
 * as of cpc_bind_pctx().
 */
int cpc_bind_child(cpc_t *cpc, pid_t pid, cpc_set_t *set, uint_t flags);

/*
 * Ours. What to execute so that these sets can be counted in the program of argv, found in
 * PATH: argv itself, or a simulator, its options and argv; alive until cpc_close(). To be
 * called once, before the program is started. NULL: EINVAL; ENOENT, EACCES, ENOEXEC, EPERM,
 * as of exec (the handler was told why); ENOMEM.
 */
char *const *cpc_command(cpc_t *cpc, char *const *argv, unsigned nsets,
			 cpc_set_t *const *sets);

/*
 * Ours. What the user must know when the program has ended of what could not be counted
 * in it: calls fn for each such thing, a line without newline; returns how many there were.
 */
unsigned cpc_run_notes(cpc_t *cpc, void *arg, void (*fn)(void *arg, const char *text));

/*
 * Ours. Where it is not this machine that counts: a line that says what does
 * ("simulated: ..."), alive as long as cpc; else NULL. To be asked when the sets are made.
 */
const char *cpc_engine_notice(cpc_t *cpc);

/*
 * Count the calling LWP. A set that was bound to it is unbound. flags: 0 or
 * CPC_BIND_LWP_INHERIT. Errors as of cpc_bind_pctx(); also ENOTSUP: an event with
 * CPC_OVF_NOTIFY_EMT cannot interrupt here.
 */
int cpc_bind_curlwp(cpc_t *cpc, cpc_set_t *set, uint_t flags);

/*
 * Count a CPU, whatever runs there. The calling LWP is bound to that CPU, and cpc_unbind()
 * by the same LWP binds it as it was before (unbind newest first where there are several).
 * CPC_FLAGS_NORELE: it stays bound to the CPU. CPC_FLAGS_NOPBIND: it must be bound to that
 * CPU alone already, and cpc_unbind() lets it run on all CPUs of its cpuset. Both: it must
 * be there, and nothing is changed. EINVAL: as of cpc_bind_pctx(), no such CPU; subcode
 * CPC_PBIND_FAILED: the LWP is not there, or may not go there. CPC_FLAGS_REMOTE, ours and
 * alone: the LWP need not be there and is not moved, so that one can count many CPUs.
 * ENOSYS: the CPU is offline. EACCES: no privilege. ENOTSUP: a request has CPC_OVF_NOTIFY_EMT or CPC_HW_SMPL. EAGAIN:
 * CPC_STRICT=1 and the CPU has a set already. cpc_set_sample() of such a set, EAGAIN: the
 * CPU went offline, and the set must be bound anew.
 *
 * CPUs differ (hybrid processors), and what counts for a package or die is read on one CPU
 * of it. An event that the CPU does not have is left out, and its values are
 * CPC_UNAVAILABLE, enabled and running 0. ENOENT: the CPU has none of them.
 *
 * CPC_STRICT=1 in the environment of cpc_open() gives the exclusion of Solaris over all
 * processes of the user that have it: one set for a CPU; while one is bound no LWP can be
 * (EAGAIN of the other binds), and those that were are not counted any more (EAGAIN of
 * cpc_set_sample() until they are bound anew). The processes meet in
 * $XDG_RUNTIME_DIR/opencpc.strict, or in /run; binds fail with EACCES, or as open(2), where
 * that cannot be used.
 */
int cpc_bind_cpu(cpc_t *cpc, processorid_t id, cpc_set_t *set, uint_t flags);

/*
 * Ours. At most how many file descriptors binding a set once takes, until it is unbound
 * (requests with CPC_HW_SMPL left out of account). 0 also: EINVAL, not a set of this
 * session. Where that is more than RLIMIT_NOFILE allows, binds raise it, as far as the
 * caller may.
 */
uint_t cpc_set_descriptors(cpc_t *cpc, const cpc_set_t *set);

/*
 * What request index of the set that is bound to the calling LWP will begin with at the
 * next cpc_set_restart(). EINVAL: the LWP has no set bound by this session, or no such
 * index. Async-signal-safe, as are the next three and cpc_set_sample() of such a set.
 */
int cpc_request_preset(cpc_t *cpc, int index, uint64_t preset);

/*
 * Let the counters of the calling LWP count again, each from its preset. EINVAL: the set
 * is not bound to it.
 */
int cpc_set_restart(cpc_t *cpc, cpc_set_t *set);

/*
 * Freeze the counters of the calling LWP, and let them go on. EINVAL: it has no set bound
 * by this session, or cpc_disable() or cpc_enable() have no effect; an overflow does not
 * keep from either. What has overflowed counts on from there, and does not overflow again
 * before cpc_set_restart().
 */
int cpc_disable(cpc_t *cpc);
int cpc_enable(cpc_t *cpc);

/*
 * EINVAL: not bound. By an LWP that has inherited the set, from that LWP alone; by any
 * other, from all. A child of fork(2) has no counters: what its parent's LWP had bound is
 * EINVAL there until it is bound anew.
 */
int cpc_unbind(cpc_t *cpc, cpc_set_t *set);

/*
 * Sample a bound set; also after its LWP has ended, until it is unbound. EINVAL: unbound,
 * or buf of another size.
 */
int cpc_set_sample(cpc_t *cpc, cpc_set_t *set, cpc_buf_t *buf);

/*
 * Each name once / those that counter picno can count, in table order (picno too big:
 * errno EINVAL, no calls).
 */
void cpc_walk_events_all(cpc_t *cpc, void *arg,
			 void (*action)(void *arg, const char *event));
void cpc_walk_events_pic(cpc_t *cpc, uint_t picno, void *arg,
			 void (*action)(void *arg, uint_t picno, const char *event));
void cpc_walk_generic_events_all(cpc_t *cpc, void *arg,
				 void (*action)(void *arg, const char *event));
void cpc_walk_generic_events_pic(cpc_t *cpc, uint_t picno, void *arg,
				 void (*action)(void *arg, uint_t picno,
						const char *event));

/* Attribute names that requests may carry; "picnum" comes last. */
void cpc_walk_attrs(cpc_t *cpc, void *arg, void (*action)(void *arg, const char *attr));

/*
 * Ours: which counters can count an event (bit n: counter n). -1, EINVAL: unknown event.
 */
int cpc_event_pics(cpc_t *cpc, const char *event, uint64_t *pics);

/*
 * Ours: does counting an event take one of the machine's counters? Software events take
 * none.
 */
int cpc_event_takes_counter(cpc_t *cpc, const char *event);

/*
 * Ours: "did you mean 'A' or 'B'?" for an unknown event, "" if nothing is near; into buf,
 * which it returns.
 */
const char *cpc_suggest(cpc_t *cpc, const char *event, char *buf, size_t size);

/*
 * Ours: the processors that cpc_open_cpu() knows, in the order in which names are looked
 * up.
 */
void cpc_cpus(void *arg, void (*action)(void *arg, const char *cpu, const char *title));

#ifdef __cplusplus
}
#endif

#endif
