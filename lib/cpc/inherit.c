/*
 * The kernel's inherited counters cannot be read for each LWP, so a new LWP must bind
 * itself: this file defines pthread_create(3), which calls the C library's.
 * inherit_begin() is in the same file so that only programs that bind LWPs link this
 * pthread_create from the archive. A program that opens the shared library by dlopen(3)
 * has the C library's already. LWPs that the C library creates for itself (timers, aio)
 * do not call it.
 */
#include "cpc/inherit.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

typedef int create_fn(pthread_t *thread, const pthread_attr_t *attr,
		      void *(*start)(void *), void *arg);

/*
 * In a static program pthread_create is ours and dlsym(3) cannot find another: glibc and
 * musl call theirs __pthread_create. thrd_create calls that one, so a reference to
 * thrd_create links it.
 */
extern create_fn __pthread_create __attribute__((weak));
static int (*const brings_along)(thrd_t *, thrd_start_t, void *)
	__attribute__((used)) = thrd_create;
#pragma weak dlsym

/* inherit_begin() sets the hooks, and nothing resets them. */
static const struct inherit_hooks *active;

struct birth {
	const struct inherit_hooks *hooks;
	void *given;
	void *(*start)(void *);
	void *arg;
};

static void *begin(void *arg)
{
	const struct birth b = *(struct birth *)arg;
	int state;

	free(arg);
	/*
	 * The LWP may have been cancelled already; it must not end while it holds a lock.
	 */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	b.hooks->start(b.given, b.start);
	pthread_setcancelstate(state, NULL);
	return b.start(b.arg);
}

static create_fn *real_create(void)
{
	if (__pthread_create)
		return __pthread_create;
	return dlsym ? (create_fn *)dlsym(RTLD_NEXT, "pthread_create") : NULL;
}

static int create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
		  void *arg)
{
	const struct inherit_hooks *hooks = __atomic_load_n(&active, __ATOMIC_ACQUIRE);
	create_fn *const real = real_create();
	void *given = hooks ? hooks->prepare() : NULL;

	if (!real)
		return ENOSYS;
	if (!given)
		return real(thread, attr, start, arg);
	struct birth *b = malloc(sizeof *b);
	if (b)
		*b = (struct birth){hooks, given, start, arg};
	const int rc = b ? real(thread, attr, begin, b) : EAGAIN;
	if (rc) {
		hooks->cancel(given);
		free(b);
	}
	return rc;
}

/* The alias is weak: the pthread_create of a sanitizer must win. */
create_fn pthread_create __attribute__((weak, alias("create"), visibility("default")));

int inherit_begin(const struct inherit_hooks *hooks)
{
	if (pthread_create != create || !real_create()) {
		errno = ENOTSUP;
		return -1;
	}
	__atomic_store_n(&active, hooks, __ATOMIC_RELEASE);
	return 0;
}
