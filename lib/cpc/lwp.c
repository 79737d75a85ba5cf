/*
 * Binds of sets to LWPs of this process. An LWP has one binding, and a set may have one
 * for each LWP.
 *
 * Unbinding a set marks the bindings of other LWPs as gone and closes their counters, or
 * leaves that to an LWP that is just using them. A binding is always freed by its own
 * LWP.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <libcpc.h>
#include "cpc/assign.h"
#include "cpc/bind.h"
#include "cpc/inherit.h"
#include "cpc/own.h"
#include "cpc/sampling.h"
#include "cpc/session.h"
#include "cpc/set.h"
#include "cpc/sigemt.h"
#include "cpc/status.h"
#include "cpc/strict.h"

static const char fn_bind[] = "cpc_bind_curlwp";

/* A thread-specific key whose destructor releases the binding of an LWP that ends. */
static struct {
	pthread_once_t once;
	pthread_key_t key;
	int err;
} at_end = {.once = PTHREAD_ONCE_INIT};

static void binding_free(struct own_binding *b)
{
	const int e = errno;

	requests_drop(b->reqs);
	cpc_drop(b->cpc);
	free(b);
	errno = e;
}

/* The session is locked. */
static struct own_binding *binding_new(cpc_set_t *set, int inherits,
				       const struct own_binding *ancestor)
{
	struct requests *r = set->reqs;
	struct own_binding *b =
		calloc(1, sizeof *b + r->ncounted * sizeof b->base[0] +
				  (r->ncounted + 2 * r->n) * sizeof *b->preset);

	if (!b)
		return NULL;
	b->after = (uint64_t *)&b->base[r->ncounted];
	b->began = b->after + r->ncounted;
	b->preset = b->began + r->n;
	b->cpc = cpc_keep(set->cpc);
	ring_init(&b->binding.link);
	b->binding.set = set;
	b->reqs = requests_keep(r);
	b->pid = getpid();
	b->inherits = inherits;
	b->inherited = ancestor != NULL;
	b->bind = ancestor ? ancestor->bind : ++set->cpc->binds;
	for (unsigned i = 0; i < r->n; i++) {
		b->began[i] = b->preset[i] = r->req[i].preset;
		b->notifies |= (r->req[i].flags & CPC_OVF_NOTIFY_EMT) != 0;
	}
	return b;
}

static void close_counters(struct own_binding *b)
{
	b->reqs->ops->unbind(b->group);
	smpl_unbind(b->smpl);
	b->group = NULL;
	b->smpl = NULL;
}

/*
 * Release the binding b of the calling LWP, or of an LWP that could not be created. errno
 * is kept. Pending notices are consumed, because the next binding would take them for its
 * own.
 */
static void release_own(struct own_binding *b)
{
	const int e = errno, own = own_binding() == b;
	sigset_t before;

	sigemt_block(&before);
	/* A handler of SIGEMT may still run, and must not find the binding. */
	if (own)
		own_set(NULL);
	cpc_lock(b->cpc);
	binding_drop(&b->binding);
	cpc_unlock(b->cpc);
	close_counters(b);
	if (own) {
		pthread_setspecific(at_end.key, NULL);
		while (sigemt_take() >= 0)
			;
	}
	sigemt_unblock(&before);
	binding_free(b);
	errno = e;
}

/*
 * Unbind another LWP. The session is locked. In a child of fork(2) the counters belong to
 * the parent, whose counting must go on, and only the LWP that called fork(2) exists,
 * whose binding forked() has marked as gone.
 */
static void unbind_other(struct own_binding *b)
{
	const int here = b->pid == getpid(), exists = here || b->gone;

	binding_drop(&b->binding);
	__atomic_store_n(&b->gone, 1, __ATOMIC_SEQ_CST);
	if (!exists || __atomic_load_n(&b->busy, __ATOMIC_SEQ_CST) == 0)
		close_counters(b);
	else if (here)
		own_freeze(b);
	if (!exists)
		binding_free(b);
}

/* The session is locked. */
static void unbind(struct binding *binding)
{
	struct own_binding *b = (struct own_binding *)binding;

	if (b == own_binding())
		release_own(b);
	else
		unbind_other(b);
}

/*
 * Undo the binding b of the calling LWP; unless the LWP has inherited b, also the
 * bindings that others have inherited from b. The session is locked.
 */
static void unbind_own(struct own_binding *b)
{
	const struct ring *all = &b->binding.set->bindings;
	const uint64_t bind = b->inherits && !b->inherited ? b->bind : 0;

	release_own(b);
	for (struct ring *at = all->next, *next; bind && at != all; at = next) {
		struct own_binding *other = (struct own_binding *)at;

		next = at->next;
		if (other->bind == bind)
			unbind_other(other);
	}
}

static int unbind_caller(cpc_set_t *set)
{
	struct own_binding *b = own_binding();

	if (!b || b->gone || b->binding.set != set)
		return 0;
	unbind_own(b);
	return 1;
}

static const struct binding_ops to_own = {own_sample, unbind, unbind_caller};

/*
 * Make way for a binding of the calling LWP: undo bindings of another kind, and those
 * that a child of fork(2) has from LWPs of its parent. The session is locked.
 */
static void make_way(cpc_set_t *set)
{
	const pid_t pid = getpid();

	if (set->bound != &to_own)
		set_unbind(set);
	for (struct ring *at = set->bindings.next, *next; at != &set->bindings;
	     at = next) {
		struct own_binding *b = (struct own_binding *)at;

		next = at->next;
		if (b->pid != pid)
			unbind_other(b);
	}
}

static void lwp_ends(void *arg)
{
	release_own(arg);
}

static void forked(void)
{
	struct own_binding *b = own_binding();

	if (b)
		__atomic_store_n(&b->gone, 1, __ATOMIC_SEQ_CST);
}

static void prepare_end(void)
{
	at_end.err = pthread_key_create(&at_end.key, lwp_ends);
	if (!at_end.err)
		at_end.err = pthread_atfork(NULL, NULL, forked);
}

/* The session is locked. */
static int open_counters(struct own_binding *b)
{
	const struct requests *r = b->reqs;
	const struct target t = {.tree = b->tree,
				 .after = b->after,
				 .turn = requests_turns(r),
				 .signo = EMT_NOTICE};
	struct why why;

	if (strict_lwp_bind(&b->cpc->strict, &b->generation, &why) == -1)
		goto fail;
	if (b->notifies && sigemt_catch(own_notice) == -1)
		return -1;
	if (r->ncounted) {
		b->group =
			r->ops->bind(b->cpc->scope.engine, &t, r->sel, r->ncounted, &why);
		if (!b->group)
			goto fail;
	}
	if (smpl_bind(b->cpc, r, EMT_NOTICE, &b->smpl, &why) == 0)
		return 0;
fail:
	cpc_report(b->cpc, fn_bind, CPC_REFUSED, "%s", why.text);
	return -1;
}

/*
 * Open the counters of b and make it the binding of the calling LWP. The session is
 * locked, and notices are blocked: one may come before the LWP has its binding. Returns
 * -1 after releasing b.
 */
static int start_own(struct own_binding *b)
{
	if (open_counters(b) == 0) {
		const int err = pthread_setspecific(at_end.key, b);

		if (!err) {
			own_set(b);
			return 0;
		}
		errno = err;
	}
	release_own(b);
	return -1;
}

/* The library's signal must come, whatever the LWP has blocked. */
static void unblock_notices(sigset_t *before)
{
	sigdelset(before, EMT_NOTICE);
	sigemt_unblock(before);
}

/* The session is locked. */
static int bind_self(cpc_set_t *set, uint_t flags)
{
	sigset_t before;

	struct own_binding *b =
		binding_new(set, (flags & CPC_BIND_LWP_INHERIT) != 0, NULL);
	if (!b)
		return -1;
	b->tree = (flags & CPC_BIND_TREE) != 0;
	own_set_after(b, b->preset);
	sigemt_block(&before);
	const int rc = start_own(b);
	if (rc == 0)
		binding_add(&b->binding, set, &to_own);
	unblock_notices(&before);
	return rc;
}

/*
 * Called in an LWP that creates another. Returns a binding for the new LWP, which opens
 * its counters itself if the set is still bound then; NULL if the new LWP is not to be
 * counted.
 */
static void *inherit_prepare(void)
{
	struct own_binding *b = own_binding(), *heir = NULL;

	if (!b || !b->inherits)
		return NULL;
	cpc_lock(b->cpc);
	if (!b->gone) {
		heir = binding_new(b->binding.set, 1, b);
		if (heir)
			binding_add(&heir->binding, b->binding.set, &to_own);
		else
			cpc_report(b->cpc, fn_bind, CPC_REFUSED,
				   "no memory to count a new LWP");
	}
	cpc_unlock(b->cpc);
	return heir;
}

static void inherit_cancel(void *given)
{
	release_own(given);
}

/* With a preset of 0 nothing overflows before the new LWP has set its presets. */
static void inherit_start(void *given, void *(*start)(void *))
{
	struct own_binding *b = given;
	cpc_t *cpc = cpc_keep(b->cpc);
	sigset_t before;

	for (unsigned i = 0; i < b->reqs->n; i++)
		b->began[i] = 0;
	own_set_after(b, b->began);
	for (unsigned i = 0; i < b->reqs->n; i++)
		b->began[i] = b->preset[i];
	sigemt_block(&before);
	cpc_lock(cpc);
	if (b->gone)
		release_own(b);
	else if (start_own(b) == 0 && b->notifies)
		own_await_presets(b, (void *)start);
	cpc_unlock(cpc);
	unblock_notices(&before);
	cpc_drop(cpc);
}

static int begin_inheriting(cpc_t *cpc)
{
	static const struct inherit_hooks hooks = {inherit_prepare, inherit_start,
						   inherit_cancel};

	if (inherit_begin(&hooks) == 0)
		return 0;
	cpc_report(cpc, fn_bind, CPC_REFUSED,
		   "CPC_BIND_LWP_INHERIT: this program does not create LWPs by the "
		   "pthread_create of this library; link the program with the library, "
		   "before the C library and sanitizers");
	return -1;
}

/* Undo the binding that the calling LWP has, of any session. */
static void leave_set(void)
{
	struct own_binding *b = own_binding();

	if (!b)
		return;
	cpc_t *cpc = cpc_keep(b->cpc);
	cpc_lock(cpc);
	if (b->gone)
		release_own(b);
	else
		unbind_own(b);
	cpc_unlock(cpc);
	cpc_drop(cpc);
}

/* Refuse a program that its engine cannot count from inside. */
static int check_counts_self(cpc_t *cpc)
{
	struct why why;

	if (status_check_self(cpc, &why) == 0)
		return 0;
	cpc_report(cpc, fn_bind, CPC_REFUSED, "%s", why.text);
	return -1;
}

int cpc_bind_curlwp(cpc_t *cpc, cpc_set_t *set, uint_t flags)
{
	const int inherits = (flags & CPC_BIND_LWP_INHERIT) != 0;

	if (!set_is_of(cpc, set) ||
	    (flags && flags != CPC_BIND_LWP_INHERIT && flags != CPC_BIND_TREE)) {
		errno = EINVAL;
		return -1;
	}
	pthread_once(&at_end.once, prepare_end);
	if (at_end.err) {
		errno = at_end.err;
		return -1;
	}
	cpc_lock(cpc);
	int rc = assign_counters(cpc, fn_bind, set);
	if (rc == 0)
		rc = check_counts_self(cpc);
	if (rc == 0 && flags == CPC_BIND_TREE)
		rc = bind_check_plain(cpc, fn_bind, set);
	cpc_unlock(cpc);
	if (rc == -1 || (inherits && begin_inheriting(cpc) == -1))
		return -1;
	leave_set();
	cpc_lock(cpc);
	make_way(set);
	/* Another LWP may have added a request meanwhile. */
	rc = assign_counters(cpc, fn_bind, set);
	if (rc == 0)
		rc = bind_self(set, flags);
	cpc_unlock(cpc);
	return rc;
}
