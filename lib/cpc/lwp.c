/*
 * Who unbinds a set from other LWPs marks their bindings as gone and closes the counters,
 * or leaves that to the LWP if it is in a call; the binding itself is always freed by its
 * LWP.
 */
#include "cpc/lwp.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "cpc/assign.h"
#include "cpc/bind.h"
#include "cpc/inherit.h"
#include "cpc/own.h"
#include "cpc/sampling.h"
#include "cpc/session.h"
#include "cpc/set.h"
#include "cpc/sigemt.h"
#include "cpc/strict.h"

static const char fn_bind[] = "cpc_bind_curlwp";

/* So that an LWP lets go when it ends. */
static struct {
	pthread_once_t once;
	pthread_key_t key;
	int err;
} at_end = {.once = PTHREAD_ONCE_INIT};

static void binding_free(struct lwp_binding *b)
{
	const int e = errno;

	requests_drop(b->reqs);
	cpc_drop(b->cpc);
	free(b);
	errno = e;
}

/* The session is held. */
static struct lwp_binding *binding_new(cpc_set_t *set, int inherits, int inherited)
{
	struct requests *r = set->reqs;
	struct lwp_binding *b =
		calloc(1, sizeof *b + r->ncounted * sizeof b->base[0] +
				  (r->ncounted + 2 * r->n) * sizeof *b->preset);

	if (!b)
		return NULL;
	b->after = (uint64_t *)&b->base[r->ncounted];
	b->began = b->after + r->ncounted;
	b->preset = b->began + r->n;
	b->cpc = cpc_keep(set->cpc);
	b->set = set;
	b->reqs = requests_keep(r);
	b->pid = getpid();
	b->inherits = inherits;
	b->inherited = inherited;
	for (unsigned i = 0; i < r->n; i++) {
		b->began[i] = b->preset[i] = r->req[i].preset;
		b->notifies |= (r->req[i].flags & CPC_OVF_NOTIFY_EMT) != 0;
	}
	return b;
}

/* The session is held. */
static void list_add(struct lwp_binding *b)
{
	b->at = &b->set->lwps;
	b->next = *b->at;
	if (b->next)
		b->next->at = &b->next;
	*b->at = b;
}

static void list_drop(struct lwp_binding *b)
{
	if (!b->at)
		return;
	*b->at = b->next;
	if (b->next)
		b->next->at = b->at;
	b->at = NULL;
}

static void close_counters(struct lwp_binding *b)
{
	b->reqs->ops->unbind(b->group);
	smpl_unbind(b->smpl);
	b->group = NULL;
	b->smpl = NULL;
}

/*
 * By the LWP that b is of, or is to be of. Keeps errno. A notice that still waits would be
 * taken for one of the next binding.
 */
static void let_go(struct lwp_binding *b)
{
	const int e = errno, own = context_mine() == b;
	sigset_t before;

	sigemt_block(&before);
	/* A handler of SIGEMT may still come. */
	if (own)
		context_set(NULL);
	cpc_lock(b->cpc);
	list_drop(b);
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

/* By another LWP. The session is held. After a fork(2) the parent's must run on. */
static void dismiss(struct lwp_binding *b)
{
	list_drop(b);
	__atomic_store_n(&b->gone, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&b->busy, __ATOMIC_SEQ_CST) == 0)
		close_counters(b);
	else if (b->pid == getpid())
		context_freeze(b);
}

static void lwp_ends(void *arg)
{
	let_go(arg);
}

static void forked(void)
{
	struct lwp_binding *b = context_mine();

	if (b)
		__atomic_store_n(&b->gone, 1, __ATOMIC_SEQ_CST);
}

static void prepare_end(void)
{
	at_end.err = pthread_key_create(&at_end.key, lwp_ends);
	if (!at_end.err)
		at_end.err = pthread_atfork(NULL, NULL, forked);
}

/* The session is held. */
static int open_counters(struct lwp_binding *b)
{
	const struct requests *r = b->reqs;
	const struct target t = {.after = b->after, .signo = EMT_NOTICE};
	struct why why;

	if (strict_lwp_bind(b->cpc, fn_bind, &b->generation) == -1)
		return -1;
	if (b->notifies && sigemt_catch(context_notice) == -1)
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
 * Make b the caller's. The session is held, and notices are: one may come before it is
 * known whose it is. -1: b is let go.
 */
static int take_up(struct lwp_binding *b)
{
	if (open_counters(b) == 0) {
		const int err = pthread_setspecific(at_end.key, b);

		if (!err) {
			context_set(b);
			return 0;
		}
		errno = err;
	}
	let_go(b);
	return -1;
}

/* The library's own signal must come, whatever the LWP has blocked. */
static void let_come(sigset_t *before)
{
	sigdelset(before, EMT_NOTICE);
	sigemt_unblock(before);
}

/* The session is held. */
static int bind_self(cpc_set_t *set, int inherits)
{
	sigset_t before;

	struct lwp_binding *b = binding_new(set, inherits, 0);
	if (!b)
		return -1;
	context_after(b, b->preset);
	sigemt_block(&before);
	const int rc = take_up(b);
	if (rc == 0) {
		list_add(b);
		__atomic_store_n(&set->to, BOUND_LWP, __ATOMIC_RELAXED);
	}
	let_come(&before);
	return rc;
}

/*
 * In the LWP that creates another one. NULL: that is not counted. The new LWP binds
 * itself, if the set is still bound then.
 */
static void *give(void)
{
	struct lwp_binding *b = context_mine(), *heir = NULL;

	if (!b || !b->inherits)
		return NULL;
	cpc_lock(b->cpc);
	if (!b->gone) {
		heir = binding_new(b->set, 1, 1);
		if (heir)
			list_add(heir);
		else
			cpc_report(b->cpc, fn_bind, CPC_REFUSED,
				   "no memory to count a new LWP");
	}
	cpc_unlock(b->cpc);
	return heir;
}

static void give_up(void *given)
{
	let_go(given);
}

/* A preset of 0 is never: nothing overflows before the LWP has set its presets. */
static void take(void *given, void *(*start)(void *))
{
	struct lwp_binding *b = given;
	cpc_t *cpc = cpc_keep(b->cpc);
	sigset_t before;

	for (unsigned i = 0; i < b->reqs->n; i++)
		b->began[i] = 0;
	context_after(b, b->began);
	for (unsigned i = 0; i < b->reqs->n; i++)
		b->began[i] = b->preset[i];
	sigemt_block(&before);
	cpc_lock(cpc);
	if (b->gone)
		let_go(b);
	else if (take_up(b) == 0 && b->notifies)
		context_await_presets(b, (void *)start);
	cpc_unlock(cpc);
	let_come(&before);
	cpc_drop(cpc);
}

static int begin_inheriting(cpc_t *cpc)
{
	static const struct inherit_hooks hooks = {give, take, give_up};

	if (inherit_begin(&hooks) == 0)
		return 0;
	cpc_report(
		cpc, fn_bind, CPC_REFUSED,
		"CPC_BIND_LWP_INHERIT: this program does not create LWPs by the "
		"pthread_create of libcpc.a; link it with that before the C library and "
		"sanitizers");
	return -1;
}

/* The LWP's binding so far, of whatever session. */
static void leave_set(void)
{
	struct lwp_binding *b = context_mine();

	if (!b)
		return;
	cpc_t *cpc = cpc_keep(b->cpc);
	cpc_lock(cpc);
	if (b->gone || b->inherited)
		let_go(b);
	else
		bind_undo(b->set);
	cpc_unlock(cpc);
	cpc_drop(cpc);
}

/* The kernel would count the simulator that runs the program. */
static int check_counts_self(cpc_t *cpc)
{
	if (cpc->scope.ops != &engine_kernel || !engine_inside())
		return 0;
	errno = ENOTSUP;
	cpc_report(cpc, fn_bind, CPC_REFUSED,
		   "this program is simulated; the kernel would count the simulator, "
		   "--engine=sim or auto counts the program");
	return -1;
}

int cpc_bind_curlwp(cpc_t *cpc, cpc_set_t *set, uint_t flags)
{
	const int inherits = (flags & CPC_BIND_LWP_INHERIT) != 0;

	if (!cpc || !set || set->cpc != cpc || flags & ~(uint_t)CPC_BIND_LWP_INHERIT) {
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
	cpc_unlock(cpc);
	if (rc == -1 || (inherits && begin_inheriting(cpc) == -1))
		return -1;
	leave_set();
	cpc_lock(cpc);
	bind_undo(set);
	rc = bind_self(set, inherits);
	cpc_unlock(cpc);
	return rc;
}

void lwp_unbind(cpc_set_t *set)
{
	while (set->lwps) {
		struct lwp_binding *b = set->lwps;

		if (b == context_mine())
			let_go(b);
		else
			dismiss(b);
	}
}

int lwp_unbind_heir(cpc_set_t *set)
{
	struct lwp_binding *b = context_mine();

	if (!b || b->cpc != set->cpc || b->gone || !b->inherited || b->set != set)
		return 0;
	let_go(b);
	return 1;
}
