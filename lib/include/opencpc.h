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

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
