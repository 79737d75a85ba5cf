/* The regions of this process: cpc_region_begin(3). */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <opencpc.h>
#include "base/lock.h"
#include "cpc/assign.h"
#include "cpc/session.h"
#include "region/asked.h"
#include "region/report.h"
#include "region/settings.h"
#include "region/thread.h"
#include "spec/names.h"

static const char fn_begin[] = "cpc_region_begin";

enum state {
	NEW, /* no region has begun */
	OFF, /* no events were chosen: regions do nothing */
	ON,
	REFUSED /* the events cannot be counted */
};

/* The library's lock protects all members but state, which is also read without it. */
static struct {
	enum state state;
	int error;    /* REFUSED: errno */
	char *chosen; /* by cpc_region_events() */
	struct region_settings settings;
	struct region_events events;
	struct ring threads; /* head of the ring of struct region_thread */
	unsigned failed;
	pthread_key_t key; /* its destructor ends a thread */
} regions = {.threads = {&regions.threads, &regions.threads}};

/* The calling thread. The initial-exec model never allocates memory. */
static _Thread_local struct region_thread *mine
	__attribute__((tls_model("initial-exec")));
static _Thread_local int refused; /* errno: the thread could not get counters */

/*
 * How often the thread is in a part of this file that holds the lock. The lock is
 * recursive, so a signal handler that interrupts such a part must not enter another.
 */
static _Thread_local volatile unsigned inside __attribute__((tls_model("initial-exec")));

static void enter(void)
{
	inside++;
	lock_hold();
}

static void leave(void)
{
	lock_release();
	inside--;
}

static void report(int provisional)
{
	const struct region_results r = {&regions.settings, &regions.events,
					 &regions.threads, regions.failed};

	region_report(&r, provisional);
}

static void report_asked(void)
{
	enter();
	if (regions.state == ON)
		report(1);
	leave();
}

static int start_asked(void)
{
	const int err = regions.settings.signo
				? asked_start(regions.settings.signo, report_asked)
				: 0;

	if (err)
		errno = err;
	return err ? -1 : 0;
}

static void thread_ends(void *arg)
{
	struct region_thread *t = arg;

	enter();
	mine = NULL;
	region_thread_cut(t);
	region_thread_stop(t);
	if (t->nregions == 0) {
		ring_drop(&t->link);
		region_thread_free(t);
	}
	leave();
}

/*
 * In a child of fork(2) only the calling thread exists, and no counters. If no region is
 * open, the thread gets counters when one begins.
 */
static void forked(void)
{
	for (struct ring *at = regions.threads.next, *next; at != &regions.threads;
	     at = next) {
		struct region_thread *t = (struct region_thread *)at;

		next = at->next;
		if (t == mine)
			continue;
		ring_drop(at);
		region_thread_stop(t);
		region_thread_free(t);
	}
	regions.failed = 0;
	refused = 0;
	if (!mine)
		return;
	mine->flags |= REGION_STALE;
	if (!(mine->flags & REGION_BUSY) && mine->last->region &&
	    region_thread_restart(mine) == 0)
		mine->flags = 0;
}

static int add_requests(const char *text)
{
	struct region_events *e = &regions.events;
	const struct spec_names names = spec_names_of(e->cpc);
	struct spec_error error;
	struct spec *spec = spec_parse(text, &names, &error);
	int rc = 0;

	if (!spec) {
		if (errno == EINVAL) {
			cpc_report(e->cpc, fn_begin, CPC_REFUSED, "%s (column %u of %s)",
				   error.text, error.column,
				   regions.settings.events ? "CPC_EVENTS"
							   : "cpc_region_events()");
			errno = EINVAL;
		}
		return -1;
	}
	for (unsigned i = 0; i < spec->n && rc != -1; i++)
		rc = spec_add(e->cpc, e->set, &spec->req[i]);
	e->n = spec->n;
	spec_free(spec);
	return rc == -1 ? -1 : 0;
}

/* Open a session that counts the events of a specification. */
static int open_session(const char *text, const char *settings_error)
{
	struct region_events *e = &regions.events;

	e->cpc = cpc_open_cpu(CPC_VER_CURRENT, NULL, regions.settings.engine);
	if (!e->cpc && errno == EINVAL) {
		e->cpc = cpc_open(CPC_VER_CURRENT);
		settings_error = "CPC_ENGINE: there is no such engine; use auto, kernel "
				 "or sim";
	}
	if (!e->cpc)
		return -1;
	if (*settings_error) {
		cpc_report(e->cpc, fn_begin, CPC_REFUSED, "%s", settings_error);
		errno = EINVAL;
		return -1;
	}
	e->set = cpc_set_create(e->cpc);
	if (!e->set || add_requests(text) == -1)
		return -1;
	return assign_counters(e->cpc, fn_begin, e->set);
}

static int start(void)
{
	char error[256] = "";

	region_settings_read(&regions.settings, error, sizeof error);
	const char *text =
		regions.settings.events ? regions.settings.events : regions.chosen;
	if (!text)
		return OFF;
	int err = pthread_key_create(&regions.key, thread_ends);
	if (!err)
		err = pthread_atfork(NULL, NULL, forked);
	if (err)
		errno = err;
	if (err || open_session(text, error) == -1 || start_asked() == -1) {
		regions.error = errno;
		return REFUSED;
	}
	return ON;
}

/* The lock is held. The reason is reported only for the first thread that fails. */
static struct region_thread *add_thread(void)
{
	struct withheld dropped = {0};

	regions.events.cpc->withheld = regions.failed ? &dropped : NULL;
	struct region_thread *t = region_thread_new(&regions.events);
	regions.events.cpc->withheld = NULL;
	const int err = t ? pthread_setspecific(regions.key, t) : 0;

	if (err) {
		region_thread_stop(t);
		region_thread_free(t);
		t = NULL;
		errno = err;
	}
	if (t) {
		ring_add(&regions.threads, &t->link);
		return t;
	}
	refused = errno;
	regions.failed++;
	return NULL;
}

/* The lock is held. Returns 0, or an errno; mine is NULL if regions do nothing. */
static int prepare(void)
{
	if (regions.state == NEW)
		__atomic_store_n(&regions.state, start(), __ATOMIC_RELEASE);
	if (regions.state == OFF)
		return 0;
	if (regions.state == REFUSED)
		return regions.error;
	if (mine && mine->flags & REGION_BUSY)
		return EDEADLK;
	/* A signal handler has prepared the thread meanwhile. */
	if (mine && !mine->flags)
		return 0;
	if (mine) {
		if (region_thread_restart(mine) == -1 || start_asked() == -1)
			return errno;
		mine->flags = 0;
		return 0;
	}
	if (!refused)
		mine = add_thread();
	return mine ? 0 : refused;
}

/*
 * Prepare the calling thread for a call. Returns 1; 0 if regions do nothing; -1 with
 * errno.
 */
static int prepare_thread(void)
{
	if (__atomic_load_n(&regions.state, __ATOMIC_ACQUIRE) == OFF)
		return 0;
	int err = inside ? EDEADLK : lock_prepare();
	if (!err) {
		enter();
		err = prepare();
		leave();
	}
	errno = err ? err : errno;
	return err ? -1 : mine != NULL;
}

/* As cpc_region_begin() and cpc_region_end(), for the calls that cannot go on at once. */
static __attribute__((noinline)) int prepare_and(int (*fn)(struct region_thread *t,
							   const char *name),
						 const char *name)
{
	if (!name) {
		errno = EINVAL;
		return -1;
	}
	const int on = prepare_thread();
	return on <= 0 ? on : fn(mine, name);
}

static inline int is_ready(const struct region_thread *t, const char *name)
{
	return name && t && !t->flags;
}

int cpc_region_begin(const char *name)
{
	struct region_thread *t = mine;

	return is_ready(t, name) ? region_thread_begin(t, name)
				 : prepare_and(region_thread_begin, name);
}

int cpc_region_end(const char *name)
{
	struct region_thread *t = mine;

	return is_ready(t, name) ? region_thread_end(t, name)
				 : prepare_and(region_thread_end, name);
}

int cpc_region_events(const char *spec)
{
	char *copy = spec ? strdup(spec) : NULL;
	int rc = -1;

	if (spec && !copy)
		return -1;
	const int err = inside ? EDEADLK : lock_prepare();
	if (err) {
		free(copy);
		errno = err;
		return -1;
	}
	enter();
	if (copy && regions.state == NEW) {
		free(regions.chosen);
		regions.chosen = copy;
		rc = 0;
	} else {
		free(copy);
		errno = EINVAL;
	}
	leave();
	return rc;
}

/*
 * A destructor runs after the program's functions of atexit(3), which may have regions.
 * Later reports, which a signal has asked for, are left out.
 */
__attribute__((destructor)) static void process_ends(void)
{
	if (__atomic_load_n(&regions.state, __ATOMIC_ACQUIRE) != ON)
		return;
	/* A signal handler calls exit(3) while the results are changed. */
	if (inside)
		return;
	enter();
	if (mine && !mine->flags) {
		/* From here on a signal handler must not use the thread. */
		mine->flags = REGION_BUSY;
		region_thread_cut(mine);
	}
	report(0);
	__atomic_store_n(&regions.state, OFF, __ATOMIC_RELEASE);
	leave();
}
