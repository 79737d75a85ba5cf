/*
 * libcpc: count processor events of LWPs and CPUs, after Solaris libcpc(3LIB) version 2.
 *
 * A cpc_t is a session. It owns the sets and bufs that are made from it; cpc_close()
 * frees all of them. A set is a list of requests that are counted together; a buf holds
 * one sample of a set. Calls return 0 or a pointer, and on failure -1 or NULL with errno
 * set, if nothing else is said. A call that is given NULL instead of a session, set or
 * buf, or one that was freed, fails with EINVAL; cpc_open(3) says how long freed ones are
 * recognised. If more than errno can be said, the error handler gets a text
 * (cpc_seterrhndlr); it does not change errno. Source: cpc(3CPC) and the manual pages
 * that it names. "Ours" marks what Solaris does not have.
 */
#ifndef LIBCPC_H
#define LIBCPC_H

#include <inttypes.h>
#include <stddef.h>

#include <libcpc_types.h>
#include <libpctx.h>

/*
 * Programs for Solaris, in C, call functions of <string.h> without including it. They are
 * declared here, as ISO C (7.1.4) allows, because <string.h> itself would declare
 * index(), and the second example of cpc_bind_curlwp(3CPC) has a variable of that name.
 */
#if !defined(__cplusplus) && !defined(CPC_NO_SOLARIS_NAMES)
void *memcpy(void *__restrict to, const void *__restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *s, int c, size_t n);
int memcmp(const void *s1, const void *s2, size_t n);
char *strcpy(char *__restrict to, const char *__restrict from);
char *strncpy(char *__restrict to, const char *__restrict from, size_t n);
char *strcat(char *__restrict to, const char *__restrict from);
int strcmp(const char *s1, const char *s2);
int strncmp(const char *s1, const char *s2, size_t n);
char *strchr(const char *s, int c);
char *strrchr(const char *s, int c);
char *strstr(const char *s, const char *part);
char *strtok(char *__restrict s, const char *__restrict delimiters);
size_t strlen(const char *s);
char *strerror(int err);
#ifndef __STRICT_ANSI__
char *strdup(const char *s);
void bzero(void *s, size_t n);
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*
 * Names that the examples of cpc_bind_curlwp(3CPC) use: the number of the calling LWP,
 * here its thread id, and the indices of the program counter and of the stack pointer in
 * uc_mcontext.gregs (REG_RIP and REG_RSP of <sys/ucontext.h>, only on x86-64). ISO C and
 * C++ have no ucontext_t and do not get the short names. A program that has such names
 * itself defines CPC_NO_SOLARIS_NAMES.
 */
#ifndef CPC_NO_SOLARIS_NAMES
int _lwp_self(void);
#if defined(__x86_64__) && !defined(__STRICT_ANSI__) && !defined(__cplusplus)
enum { SP = 15, PC = 16 };
#endif
#endif

/* Opens a session; ver must be CPC_VER_CURRENT. EINVAL: another version; ENOMEM. */
cpc_t *cpc_open(int ver);

/*
 * Ours. Opens a session for the event table of a processor (cpu: "us3", "r10000", ...;
 * NULL: the names of this machine) and for an engine ("auto", "kernel", "sim"; NULL is
 * "auto": "kernel", or "sim" in a program that is simulated). EINVAL: no such table
 * (cpc_cpus() lists the tables), engine (cpc_engines()) or version; ENOMEM.
 */
cpc_t *cpc_open_cpu(int ver, const char *cpu, const char *engine);

/* Ours. Calls action for each engine of cpc_open_cpu(); the strings are constant. */
void cpc_engines(void *arg,
		 void (*action)(void *arg, const char *engine, const char *title));

/* Ours. Returns the engine of a session, "kernel" or "sim", which is constant. */
const char *cpc_engine_name(cpc_t *cpc);

/* Unbinds and frees all sets and bufs, then cpc, which may be NULL. EINVAL: closed. */
int cpc_close(cpc_t *cpc);

/*
 * Sets the error handler of a session. It gets a line that ends with a newline, for
 * vprintf(3). NULL restores the default, which prints "libcpc: FN: TEXT" on stderr.
 * EINVAL: no open session.
 */
int cpc_seterrhndlr(cpc_t *cpc, cpc_errhndlr_t *fn);

/* Return the number of counters, and the CPC_CAP_* of the session. */
uint_t cpc_npic(cpc_t *cpc);
uint_t cpc_caps(cpc_t *cpc);

/*
 * Return the name of the counter interface, and the name of the processor's manual. The
 * texts live as long as cpc.
 */
const char *cpc_cciname(cpc_t *cpc);
const char *cpc_cpuref(cpc_t *cpc);

/* Makes an empty set. ENOMEM. */
cpc_set_t *cpc_set_create(cpc_t *cpc);

/* Unbinds and frees a set. EINVAL: not a set of this session, or destroyed already. */
int cpc_set_destroy(cpc_t *cpc, cpc_set_t *set);

/*
 * Ours. Makes an unbound set with the requests of another set. It is cheap: the two sets
 * share the encoded requests. EINVAL: not a set of this session; ENOMEM.
 */
cpc_set_t *cpc_set_dup(cpc_t *cpc, const cpc_set_t *set);

/*
 * Adds a request to a set that is neither bound nor duplicated; event and attrs are
 * copied. Returns its index, from 0, or -1. EINVAL: bound set, unknown event or
 * attribute, or a counter (attribute picnum) that cannot count the event; EACCES, with
 * subcode CPC_HV_NO_ACCESS: flags has CPC_COUNT_HV; ENOMEM; or the reason why this
 * machine cannot count the event (ENOENT, EACCES, ...), which the error handler gets too.
 */
int cpc_set_add_request(cpc_t *cpc, cpc_set_t *set, const char *event, uint64_t preset,
			uint_t flags, uint_t nattrs, const cpc_attr_t *attrs);

/* Calls action for each request, newest first. */
void cpc_walk_requests(cpc_t *cpc, cpc_set_t *set, void *arg,
		       void (*action)(void *arg, int index, const char *event,
				      uint64_t preset, uint_t flags, int nattrs,
				      const cpc_attr_t *attrs));

/*
 * Makes a buf with a value of 0 for each request that the set has now. EINVAL: not a set
 * of this session; ENOMEM.
 */
cpc_buf_t *cpc_buf_create(cpc_t *cpc, cpc_set_t *set);

/* Frees a buf. EINVAL: not a buf of this session, or destroyed already. */
int cpc_buf_destroy(cpc_t *cpc, cpc_buf_t *buf);

/*
 * Read and write the value of a request. A value that was not counted all the time is
 * scaled (cpc_buf_value). EINVAL: no such index, or a request with CPC_HW_SMPL.
 */
int cpc_buf_get(cpc_t *cpc, cpc_buf_t *buf, int index, uint64_t *val);
int cpc_buf_set(cpc_t *cpc, cpc_buf_t *buf, int index, uint64_t val);

/* Returns when the sample was taken, in ns of CLOCK_MONOTONIC; 0: never. */
hrtime_t cpc_buf_hrtime(cpc_t *cpc, cpc_buf_t *buf);

/*
 * Returns the cycles of the time-stamp counter for which the set has been on a processor
 * since it was bound.
 */
uint64_t cpc_buf_tick(cpc_t *cpc, cpc_buf_t *buf);

/*
 * cpc_buf_sub() stores a - b in ds and cpc_buf_add() a + b, for each index and for the
 * tick, modulo 2^64; ds gets the later time of the two, and no records. If a or b has no
 * value for a request (CPC_UNAVAILABLE because its CPU does not have the event), their
 * difference has none; their sum has none if neither has. cpc_buf_copy() copies records
 * too. With bufs of different sizes (or room for records) the calls do nothing.
 */
void cpc_buf_sub(cpc_t *cpc, cpc_buf_t *ds, cpc_buf_t *a, cpc_buf_t *b);
void cpc_buf_add(cpc_t *cpc, cpc_buf_t *ds, cpc_buf_t *a, cpc_buf_t *b);
void cpc_buf_copy(cpc_t *cpc, cpc_buf_t *ds, cpc_buf_t *src);
void cpc_buf_zero(cpc_t *cpc, cpc_buf_t *buf);

/*
 * Hardware sampling (Solaris 11): a request with CPC_HW_SMPL is not counted. After every
 * 2^64 - preset of its events the machine records the state of the LWP. cpc_set_sample()
 * moves the oldest records into the buf, at most smpl_nrecs; call it again until it moves
 * fewer. With CPC_OVF_NOTIFY_EMT the LWP gets SIGEMT after each smpl_nrecs records, and
 * sampling continues. Attributes of such a request:
 *   smpl_nrecs        required: 1 to cpc_get_smpl_max_rec_count()
 *   ld_lat_threshold  record only loads that take at least this many cycles, 1 to 65535;
 *                     only for events that have such a threshold
 * Only cpc_bind_curlwp() binds such requests; the other binds fail with ENOTSUP.
 *
 * A record is an array of uint64_t. Oracle never published the items; these are ours: 0
 * "pc", 1 "tid", 2 "time" (ns of CLOCK_MONOTONIC), 3 "addr" (the accessed address), 4
 * "cpu", 5 "period" (events since the previous record), 6 "latency" (cycles), 7
 * "data_src" (perf_event_open(2), union perf_mem_data_src). An item that the event does
 * not have is 0: software events have no "period", since it is always the requested one.
 */

/*
 * Return how many events a set can sample, 0 if this machine cannot sample, and the name
 * of the sampling interface, which lives as long as cpc.
 */
uint_t cpc_smpl_npic(cpc_t *cpc);
const char *cpc_smpl_iname(cpc_t *cpc);

/*
 * Targets of the walks below: events that are counted, or events that give records; the
 * values are ours. For another target the walks set errno to EINVAL and call nothing.
 */
#define CPC_TARGET_CPC	1
#define CPC_TARGET_SMPL 2

/* As cpc_walk_events_all(), cpc_walk_events_pic() and cpc_walk_attrs(), for a target. */
void cpc_walk_events_all_common(cpc_t *cpc, void *arg, int target,
				void (*action)(void *arg, const char *event));
void cpc_walk_events_pic_common(cpc_t *cpc, uint_t picno, void *arg, int target,
				void (*action)(void *arg, uint_t picno,
					       const char *event));
void cpc_walk_attrs_common(cpc_t *cpc, void *arg, int target,
			   void (*action)(void *arg, const char *attr));

/*
 * Call action for each item that records can have, or that the records of a request have,
 * by ascending index; names live as long as cpc. The second call sets errno only if it
 * fails: EINVAL, no such index, or a request without CPC_HW_SMPL.
 */
void cpc_walk_smpl_recitems(cpc_t *cpc, void *arg,
			    void (*action)(void *arg, const char *name, int rec_idx));
void cpc_walk_smpl_recitems_req(cpc_t *cpc, cpc_set_t *set, int index, void *arg,
				void (*action)(void *arg, cpc_set_t *set, int index,
					       const char *name, int rec_idx));

/* Returns the highest value of smpl_nrecs. */
uint_t cpc_get_smpl_max_rec_count(cpc_t *cpc);

/*
 * Read the records of a request in a buf: their number, an item of a record, or a record,
 * which lives until the buf changes. EINVAL: no such index, record or item, or a request
 * without CPC_HW_SMPL.
 */
int cpc_buf_smpl_rec_count(cpc_t *cpc, cpc_buf_t *buf, int index, uint_t *count);
int cpc_buf_smpl_get_item(cpc_t *cpc, cpc_buf_t *buf, int index, uint_t record, int item,
			  uint64_t *val);
uint64_t *cpc_buf_smpl_get_record(cpc_t *cpc, cpc_buf_t *buf, int index, uint_t record);

/*
 * Ours. Stores how many records of a request were lost between the bind of the set and
 * the sample, because they were not read in time or came too fast for the kernel, which
 * then pauses: each pause counts as at least one. EINVAL: no such index, or a request
 * without CPC_HW_SMPL.
 */
int cpc_buf_smpl_lost(cpc_t *cpc, cpc_buf_t *buf, int index, uint64_t *lost);

/* Ours. Reads the value of a request and how it was obtained. EINVAL: no such index. */
int cpc_buf_value(cpc_t *cpc, const cpc_buf_t *buf, int index, cpc_value_t *val);

/* Ours. Returns the name of a class: "exact", "scaled", ...; constant. */
const char *cpc_class_name(cpc_class_t quality);

/*
 * Ours. Returns how this machine counts a request ("as ~L2_RQSTS:MISS"), or NULL if it
 * counts the event itself. The text lives as long as the set.
 */
const char *cpc_request_note(cpc_t *cpc, const cpc_set_t *set, int index);

/*
 * Counts an LWP of a process that pctx controls; lwpid is its number in that process.
 * flags is 0 or CPC_BIND_TREE. The counts of context switches leave out the stops of the
 * LWP for libpctx, except with CPC_BIND_TREE; therefore such a set is sampled by the
 * thread that runs pctx_run(). EINVAL: empty set, set of another session, or no
 * assignment of counters satisfies the requests; ESRCH: no such LWP; EACCES, EPERM,
 * ENOENT, EMFILE, ...: the error handler gets the reason.
 */
int cpc_bind_pctx(cpc_t *cpc, pctx_t *pctx, id_t lwpid, cpc_set_t *set, uint_t flags);

/*
 * Ours. Counts a process that the caller has forked and that libpctx does not control:
 * only its first LWP, or, with CPC_BIND_TREE, also everything that it will start; the
 * values are the sum once all of that has ended. Several sets can be bound to one child.
 * flags: CPC_BIND_TREE, CPC_BIND_EXEC (nothing is counted before the next successful
 * exec). Errors as of cpc_bind_pctx().
 */
int cpc_bind_child(cpc_t *cpc, pid_t pid, cpc_set_t *set, uint_t flags);

/*
 * Ours. Returns the words to execute so that these sets can be counted in the program of
 * argv, which is looked up in PATH: argv itself, or a simulator, its options and argv.
 * They live until cpc_close(). Call it once, before the program starts. EINVAL; ENOENT,
 * EACCES, as of exec; ENOTSUP if the program, or any program on this machine, cannot be
 * simulated (the error handler gets the reason); ENOMEM.
 */
char *const *cpc_command(cpc_t *cpc, char *const *argv, unsigned nsets,
			 cpc_set_t *const *sets);

/*
 * Ours. Reports what could not be counted in a program that has ended: calls fn for each
 * such thing with a line without a newline. Returns the number of calls.
 */
unsigned cpc_run_notes(cpc_t *cpc, void *arg, void (*fn)(void *arg, const char *text));

/*
 * Ours. Returns 1 if the simulator ended before the program could start, or could not go
 * on and ended a process of it, so that an exit status is not the program's; else 0.
 */
int cpc_run_failed(cpc_t *cpc);

/*
 * Ours. Returns a line that says what counts ("simulated: ...") if it is not this
 * machine, else NULL; the line lives as long as cpc. Call it after the sets are made.
 */
const char *cpc_engine_notice(cpc_t *cpc);

/*
 * Counts the calling LWP, and unbinds a set that was bound to it. Several LWPs can bind
 * one set: each has counters of its own. flags is 0, CPC_BIND_LWP_INHERIT or, ours,
 * CPC_BIND_TREE; in a simulated program only the LWP counts. Errors as of
 * cpc_bind_pctx(), and ENOTSUP: an event with CPC_OVF_NOTIFY_EMT cannot interrupt on this
 * machine, or flags is CPC_BIND_TREE and an event signals its overflow or takes records.
 */
int cpc_bind_curlwp(cpc_t *cpc, cpc_set_t *set, uint_t flags);

/*
 * Counts a CPU, whatever runs there. The calling LWP is bound to that CPU; cpc_unbind()
 * by the same LWP restores the CPUs it could run on (unbind several sets newest first).
 * CPC_FLAGS_NORELE: it stays bound to the CPU. CPC_FLAGS_NOPBIND: it must already be
 * bound to only that CPU, and cpc_unbind() gives it all CPUs of its cpuset. Both: it must
 * be bound there, and nothing changes. CPC_FLAGS_REMOTE, ours, which excludes the other
 * flags: the LWP is not moved, so that one LWP can count many CPUs. EINVAL: as of
 * cpc_bind_pctx(), or no such CPU; with subcode CPC_PBIND_FAILED: the LWP is not bound
 * there, or may not be. ENOSYS: the CPU is offline. EACCES: no privilege. ENOTSUP: a
 * request has CPC_OVF_NOTIFY_EMT or CPC_HW_SMPL. EAGAIN: CPC_STRICT=1 and the CPU has a
 * set already. cpc_set_sample() fails with EAGAIN if the CPU went offline; the set must
 * be bound again.
 *
 * CPUs can differ (hybrid processors), and an event of a package or die is read on one
 * of its CPUs. Events that the CPU does not have are left out: their values are
 * CPC_UNAVAILABLE, enabled and running 0. ENOENT: the CPU has none of the events.
 *
 * CPC_STRICT=1 in the environment of cpc_open() gives the exclusion of Solaris between
 * all processes of the user that set it: a CPU has at most one set; while a CPU is bound
 * no LWP can be bound (the other binds fail with EAGAIN), and LWPs that were bound before
 * are not counted (cpc_set_sample() fails with EAGAIN until they are bound again). The
 * processes share the file opencpc.strict in $XDG_RUNTIME_DIR or in /run; binds fail with
 * EACCES, or as open(2), if it cannot be used.
 */
int cpc_bind_cpu(cpc_t *cpc, processorid_t id, cpc_set_t *set, uint_t flags);

/*
 * Ours. Returns the greatest number of file descriptors that one bind of the set opens
 * until it is unbound, without requests with CPC_HW_SMPL; 0 with EINVAL: not a set of
 * this session. A bind raises RLIMIT_NOFILE if it is lower, as far as the caller may.
 */
uint_t cpc_set_descriptors(cpc_t *cpc, const cpc_set_t *set);

/*
 * Sets the value that request index of the set that is bound to the calling LWP starts
 * from at the next cpc_set_restart(). EINVAL: this session has bound no set to the LWP,
 * or no such index. This call, the next three, and cpc_set_sample() of such a set are
 * async-signal-safe.
 */
int cpc_request_preset(cpc_t *cpc, int index, uint64_t preset);

/*
 * Starts the counters of the calling LWP again, each from its preset. EINVAL: the set is
 * not bound to the LWP.
 */
int cpc_set_restart(cpc_t *cpc, cpc_set_t *set);

/*
 * Stop the counters of the calling LWP, and let them continue from their counts. Both are
 * allowed after an overflow, but no counter overflows again before cpc_set_restart().
 * EINVAL: this session has bound no set to the LWP, or the counters are disabled, or
 * enabled, already.
 */
int cpc_disable(cpc_t *cpc);
int cpc_enable(cpc_t *cpc);

/*
 * Unbinds a set: from the calling LWP, if that has bound or inherited it, and from the
 * LWPs that have inherited the set from the caller's bind; if not, from all LWPs, or from
 * its CPU. An LWP that ends unbinds its set from itself. EINVAL: not bound. A child of
 * fork(2) has no counters.
 */
int cpc_unbind(cpc_t *cpc, cpc_set_t *set);

/*
 * Samples the counters of a set: those of the calling LWP, which has bound or inherited
 * the set; or those of the CPU, or of the LWP of another process, also after that LWP has
 * ended. EINVAL: not bound, or bound to other LWPs of this process, or buf has another
 * size.
 */
int cpc_set_sample(cpc_t *cpc, cpc_set_t *set, cpc_buf_t *buf);

/*
 * Call action for each event name, or for each event that counter picno can count, in the
 * order of the table. With a picno that does not exist, errno is EINVAL and action is not
 * called.
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

/* Calls action for each attribute name that a request can have; "picnum" comes last. */
void cpc_walk_attrs(cpc_t *cpc, void *arg, void (*action)(void *arg, const char *attr));

/*
 * Ours. Stores which counters can count an event (bit n: counter n). EINVAL: unknown
 * event.
 */
int cpc_event_pics(cpc_t *cpc, const char *event, uint64_t *pics);

/*
 * Ours. Returns 1 if counting an event takes one of the machine's counters or debug
 * registers, 0 if not, as for software events and tracepoints.
 */
int cpc_event_takes_counter(cpc_t *cpc, const char *event);

/*
 * Ours. Writes "did you mean 'A' or 'B'?" for an unknown event into buf, of size bytes,
 * or "" if no name is similar. Returns buf.
 */
const char *cpc_suggest(cpc_t *cpc, const char *event, char *buf, size_t size);

/*
 * Ours. Calls action for each processor that cpc_open_cpu() knows, in the order in which
 * event names are looked up.
 */
void cpc_cpus(void *arg, void (*action)(void *arg, const char *cpu, const char *title));

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
