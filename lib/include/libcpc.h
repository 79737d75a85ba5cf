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

#include <libpctx.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CPC_VER_NONE	0
#define CPC_VER_CURRENT 2

/* Request flags. */
#define CPC_OVF_NOTIFY_EMT 0x1 /* signal when the counter overflows */
#define CPC_COUNT_USER	   0x2 /* count in user mode */
#define CPC_COUNT_SYSTEM   0x4 /* count in system mode */

/* Flags of cpc_bind_pctx(), ours (Solaris wants 0). */
#define CPC_BIND_TREE 0x100 /* count the LWP and everything it will start, as one sum */

/* cpc_caps(). */
#define CPC_CAP_OVERFLOW_INTERRUPT 0x1
#define CPC_CAP_OVERFLOW_PRECISE   0x2

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
/* ours: the text says what refused and what would help */
#define CPC_REFUSED 100

typedef struct __cpc cpc_t;
typedef struct __cpc_set cpc_set_t;
typedef struct __cpc_buf cpc_buf_t;
typedef int64_t hrtime_t; /* ns */

typedef struct {
	char *ca_name;
	uint64_t ca_val;
} cpc_attr_t;

typedef void(cpc_errhndlr_t)(const char *fn, int subcode, const char *fmt, va_list ap);

/* ver must be CPC_VER_CURRENT. NULL: EINVAL (other version), ENOMEM. */
cpc_t *cpc_open(int ver);

/*
 * Ours. The same, for a chosen processor's event table (cpu: "us3", "r10000", ...; NULL:
 * this machine's own names) and engine ("auto", "kernel"; NULL is "auto"). NULL: EINVAL
 * (no such table or engine; cpc_cpus() lists the tables).
 */
cpc_t *cpc_open_cpu(int ver, const char *cpu, const char *engine);

/* Unbind and free all sets and bufs, then the session. Always 0; NULL is allowed. */
int cpc_close(cpc_t *cpc);

/* NULL restores the default, which prints "libcpc: FN: TEXT" on stderr. Always 0. */
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
 * EINVAL: no such index. A value that was not counted all the time is scaled
 * (cpc_buf_value).
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
 * the two. Bufs of different sizes: nothing happens.
 */
void cpc_buf_sub(cpc_t *cpc, cpc_buf_t *ds, cpc_buf_t *a, cpc_buf_t *b);
void cpc_buf_add(cpc_t *cpc, cpc_buf_t *ds, cpc_buf_t *a, cpc_buf_t *b);
void cpc_buf_copy(cpc_t *cpc, cpc_buf_t *ds, cpc_buf_t *src);
void cpc_buf_zero(cpc_t *cpc, cpc_buf_t *buf);

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
	/* what cpc_buf_get() gives; without meaning if class is CPC_UNAVAILABLE */
	uint64_t value;
	uint64_t count;	  /* as counted */
	uint64_t enabled; /* ns for which the event was to be counted */
	uint64_t running; /* ns for which it was */
	cpc_class_t class;
} cpc_value_t;

/* Ours. EINVAL: no such index. */
int cpc_buf_value(cpc_t *cpc, const cpc_buf_t *buf, int index, cpc_value_t *val);

/* Ours: "exact", "scaled", ... */
const char *cpc_class_name(cpc_class_t class);

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

/* EINVAL: not bound. */
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
