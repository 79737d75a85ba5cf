/*
 * What OpenCPC adds to libcpc (libcpc.h): calls that Solaris' library does not have, for
 * C and C++. The rules of libcpc.h about sessions, sets, bufs and errors hold here too.
 * Types and calls that libcpc.h marks as "ours" stay there.
 */
#ifndef OPENCPC_H
#define OPENCPC_H

#include <libcpc.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*
 * Events: can an event be counted, and how?
 */

/*
 * The answer about one event. The texts are in the struct itself, end with a NUL, and are
 * cut off where they do not fit; "" stands for none. The errnos and reasons are those of
 * a request for the event in user mode without attributes, and of a bind of that request
 * alone; 0 and "" mean that the engine can count the event.
 */
typedef struct {
	char engine[16];     /* the engine of the session: "kernel" or "sim" */
	char title[512];     /* what the event is, in the words of its table or engine */
	char note[512];	     /* how the event is counted, as of cpc_request_note() */
	cpc_class_t quality; /* the best class of values; CPC_UNAVAILABLE: none */
	int error;	     /* errno of cpc_set_add_request() or of a bind to an LWP */
	int cpu_error;	     /* errno of the request or of cpc_bind_cpu() on some CPU */
	char reason[1024];
	char cpu_reason[1024];
} cpc_event_status_t;

/*
 * Stores whether the session's engine can count an event, and how, without a set. The
 * engine tries the event: the kernel engine opens it on the calling LWP and on CPUs that
 * the LWP may run on; the simulation answers for programs that cpc_command() has started.
 * An unknown event has the error EINVAL. The error handler is not called. Returns 0, also
 * if the event cannot be counted. EINVAL: NULL, or no open session; ENOMEM, EMFILE,
 * ENFILE: memory or descriptors did not suffice for the trial, and st says for which.
 */
int cpc_event_status(cpc_t *cpc, const char *event, cpc_event_status_t *st);

/*
 * Calls action with the name and title of each event of cpc_walk_events_all(), in its
 * order, and then, in a session for a processor, of cpc_walk_generic_events_all(). title
 * is NULL for events without one; the strings are valid during the call. Errors as of
 * those walks.
 */
void cpc_walk_titles(cpc_t *cpc, void *arg,
		     void (*action)(void *arg, const char *event, const char *title));

/*
 * Sets: more requests than the processor has counters.
 */

/*
 * Flag of a set: its requests take turns. Without it, a set whose requests do not all get
 * counters cannot be bound (CPC_RESOURCE_UNAVAIL). With it, the requests are divided into
 * turns, in the order of the requests; the requests of a turn satisfy the rules of the
 * processor's counters and are counted at the same time. The kernel lets turns alternate
 * that the machine cannot count at once. A value that was not counted all the time has
 * the class CPC_SCALED, with the ns for which its request was counted (running) and
 * should have been (enabled); see cpc_buf_value(). The simulation counts all turns at
 * once, and so does a machine that has enough counters.
 */
#define CPC_SET_MULTIPLEX 0x1

/*
 * Sets the flags of a set that is neither bound nor duplicated: 0 or CPC_SET_MULTIPLEX.
 * Sets that are duplicated from it have the same flags. All binds fail with ENOTSUP if a
 * request of a set with CPC_SET_MULTIPLEX has CPC_OVF_NOTIFY_EMT or CPC_HW_SMPL. EINVAL:
 * not a set of this session, a bound or duplicated set, or an unknown flag.
 */
int cpc_set_flags(cpc_t *cpc, cpc_set_t *set, uint_t flags);

/*
 * Counts an LWP of the calling process, whose thread id is tid, without ptrace(2). Any
 * LWP samples and unbinds the set, also after the LWP has ended, when its counts are
 * final. Several sets can be bound to one LWP, beside the set that it has bound itself.
 * flags is 0. EINVAL: as of cpc_bind_pctx(), or a flag; ESRCH: the process has no such
 * LWP; ENOTSUP: a request has CPC_OVF_NOTIFY_EMT or CPC_HW_SMPL, or the session
 * simulates; EACCES, ENOENT, EMFILE, ...: the error handler gets the reason.
 */
int cpc_bind_tid(cpc_t *cpc, pid_t tid, cpc_set_t *set, uint_t flags);

/*
 * Named regions (cpc_region_begin(3)).
 *
 * A region is a part of a program that has a name. Each thread counts the events of
 * CPC_EVENTS, or of cpc_region_events(), in each region; when the process ends, a table
 * of all regions is written to stderr, or to the file of CPC_REGIONS_FILE. Without events
 * the calls do nothing and return 0.
 */

/*
 * Begins a call of a region, in the calling thread. Regions can be nested, and a region
 * can contain calls of itself. The name is copied.
 *
 * Returns 0, or -1, and the region has not begun, with errno:
 *   EINVAL   name is NULL, or the environment is not valid
 *   EDEADLK  a signal handler calls this during a call of its thread
 *   ENOMEM
 *   as of cpc_set_add_request() or cpc_bind_curlwp(): the events cannot be counted.
 * The reason is printed on stderr when it occurs first.
 */
int cpc_region_begin(const char *name);

/*
 * Ends the call of a region that began last in the calling thread. Returns 0, or -1 with
 * EINVAL, and nothing has ended: the region that began last has another name, or none is
 * open; or with an errno of cpc_region_begin().
 */
int cpc_region_end(const char *name);

/*
 * Chooses the events for a process whose environment has no CPC_EVENTS; spec is an event
 * specification (opencpc-events(7)), which is copied. Returns 0, or -1 with ENOMEM, or
 * with EINVAL: spec is NULL, or a region has begun already. cpc_region_begin() checks the
 * specification.
 */
int cpc_region_events(const char *spec);

#pragma GCC visibility pop
#ifdef __cplusplus
}

namespace cpc
{
/*
 * A region that lasts as long as the object: { cpc::region r("solve"); ... }. The string
 * must live as long as the object.
 */
class region
{
      public:
	explicit region(const char *name) : name_(name), error_(cpc_region_begin(name))
	{
	}
	~region()
	{
		if (error_ == 0)
			cpc_region_end(name_);
	}

      private:
	region(const region &);
	region &operator=(const region &);

	const char *name_;
	int error_;
};
} /* namespace cpc */
#endif

#endif
