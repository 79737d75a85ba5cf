/*
 * The kernel's own inheritance cannot be read LWP by LWP, so a new LWP must bind itself:
 * pthread_create(3) is defined here and calls the one of the C library. As it is in the
 * same archive member as what switches it on, programs that do not bind LWPs do not get
 * it. LWPs that the C library makes for itself (timers, aio) do not come by here.
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
 * In a static program pthread_create is ours and dlsym(3) is no use: __pthread_create is
 * glibc's and musl's own name for theirs, which thrd_create needs, and so brings along.
 */
extern create_fn __pthread_create __attribute__((weak));
static int (*const brings_along)(thrd_t *, thrd_start_t, void *)
	__attribute__((used)) = thrd_create;
#pragma weak dlsym

/* Set once and for all by inherit_begin(). */
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
	/* It may have been cancelled already, and must not end while it holds a lock. */
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

/* Weak: where a sanitizer's runtime has one in the program, that one must win. */
create_fn pthread_create __attribute__((weak, alias("create")));

int inherit_begin(const struct inherit_hooks *hooks)
{
	if (pthread_create != create || !real_create()) {
		errno = ENOTSUP;
		return -1;
	}
	__atomic_store_n(&active, hooks, __ATOMIC_RELEASE);
	return 0;
}
