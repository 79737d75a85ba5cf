#include "cpc/own.h"

#include <errno.h>

#include "cpc/set.h"
#include "cpc/sigemt.h"
#include "cpc/strict.h"

/*
 * The binding of the calling LWP: an LWP has one set at a time. It is thread-local
 * because a signal handler must find it; the initial-exec model never allocates memory.
 */
static _Thread_local struct own_binding *mine __attribute__((tls_model("initial-exec")));

struct own_binding *own_binding(void)
{
	return mine;
}

void own_set(struct own_binding *b)
{
	mine = b;
}

static int freeze_counters(struct own_binding *b)
{
	return b->group ? b->reqs->ops->freeze(b->group) : 0;
}

int own_freeze(struct own_binding *b)
{
	return freeze_counters(b) == -1 ? -1 : smpl_freeze(b->smpl);
}

/*
 * End the call that enter() began. Only the LWP itself writes busy, and a signal handler
 * restores its value, so the slow locked instruction is not needed.
 */
static void leave(struct own_binding *b)
{
	__atomic_store_n(&b->busy, b->busy - 1, __ATOMIC_RELEASE);
}

/*
 * Returns the calling LWP's binding by this session, which no other LWP closes before
 * leave(); NULL with EINVAL if it has none. The LWP writes busy and then reads gone;
 * unbind_other() in lwp.c writes gone and then reads busy.
 */
static struct own_binding *enter(const cpc_t *cpc)
{
	struct own_binding *b = mine;

	if (b && b->cpc == cpc) {
		__atomic_add_fetch(&b->busy, 1, __ATOMIC_SEQ_CST);
		if (!__atomic_load_n(&b->gone, __ATOMIC_SEQ_CST))
			return b;
		leave(b);
	}
	errno = EINVAL;
	return NULL;
}

/* Like enter(), but returns NULL with EAGAIN if CPC_STRICT=1 has ended the bind. */
static struct own_binding *enter_valid(const cpc_t *cpc)
{
	struct own_binding *b = enter(cpc);

	if (b && strict_lwp_valid(&cpc->strict, b->generation) == -1) {
		leave(b);
		return NULL;
	}
	return b;
}

/*
 * Returns 1 if the LWP must get SIGEMT for a notice with this descriptor. The first
 * overflow freezes all counters and later ones are not signalled; records are still taken
 * (cpc_bind_curlwp(3CPC)).
 */
static int on_overflow(struct own_binding *b, int fd)
{
	if (!b->group || !b->reqs->ops->owns(b->group, fd))
		return smpl_owns(b->smpl, fd);
	if (b->state == OVERFLOWED)
		return 0;
	freeze_counters(b);
	b->state = OVERFLOWED;
	return 1;
}

void own_notice(int signo, siginfo_t *info, void *context)
{
	const int e = errno;
	const int fd = sigemt_fd(info);
	struct own_binding *b = fd >= 0 && mine ? enter(mine->cpc) : NULL;

	(void)signo;
	if (b) {
		if (on_overflow(b, fd))
			sigemt_send(sigemt_pc(context));
		leave(b);
	}
	errno = e;
}

/*
 * An overflow comes after 2^64 - preset events. The kernel counts at most 2^63 - 1 events
 * towards one, which takes longer than any machine runs.
 */
void own_set_after(struct own_binding *b, const uint64_t *preset)
{
	for (unsigned k = 0; k < b->reqs->ncounted; k++) {
		const unsigned i = b->reqs->counted[k];
		const uint64_t left = -preset[i];

		if (!(b->reqs->req[i].flags & CPC_OVF_NOTIFY_EMT))
			continue;
		b->after[k] = left == 0 || left > INT64_MAX ? INT64_MAX : left;
	}
}

void own_await_presets(struct own_binding *b, void *pc)
{
	uint64_t on;
	int64_t ns;

	own_freeze(b);
	if (b->group)
		b->reqs->ops->read(b->group, b->base, &ns, &on);
	b->restarts++;
	for (unsigned i = 0; i < b->reqs->n; i++)
		if (b->reqs->req[i].flags & CPC_OVF_NOTIFY_EMT)
			b->began[i] = UINT64_MAX;
	b->state = OVERFLOWED;
	sigemt_send(pc);
}

static void subtract_base(const struct own_binding *b, struct count *val)
{
	for (unsigned k = 0; k < b->reqs->ncounted; k++) {
		val[k].count -= b->base[k].count;
		val[k].enabled -= b->base[k].enabled;
		val[k].running -= b->base[k].running;
	}
}

/*
 * A restart in a signal handler may come between reading the counters and subtracting the
 * base; then both are read again.
 */
static int read_counters(const struct own_binding *b, cpc_buf_t *buf)
{
	const struct requests *r = b->reqs;
	uint64_t restarts;

	do {
		restarts = __atomic_load_n(&b->restarts, __ATOMIC_ACQUIRE);
		if (b->group && r->ops->read(b->group, buf->val, &buf->hrtime, &buf->on))
			return -1;
		if (restarts)
			subtract_base(b, buf->val);
		if (r->ncounted < r->n)
			requests_spread(r, buf->val);
		for (unsigned i = 0; i < r->n; i++)
			buf->preset[i] = b->began[i];
	} while (restarts != __atomic_load_n(&b->restarts, __ATOMIC_ACQUIRE));
	return 0;
}

int own_sample(cpc_set_t *set, cpc_buf_t *buf)
{
	struct own_binding *b = enter_valid(set->cpc);
	int rc = -1;

	if (!b)
		return -1;
	if (b->binding.set != set)
		errno = EINVAL;
	else if (read_counters(b, buf) == 0)
		rc = b->smpl ? smpl_drain(b->smpl, buf) : 0;
	leave(b);
	return rc;
}

int cpc_request_preset(cpc_t *cpc, int index, uint64_t preset)
{
	struct own_binding *b = enter_valid(cpc);
	int rc = -1;

	if (!b)
		return -1;
	if (index >= 0 && (unsigned)index < b->reqs->n) {
		b->preset[index] = preset;
		rc = 0;
	} else {
		errno = EINVAL;
	}
	leave(b);
	return rc;
}

/*
 * Start the counters again. One may overflow, and freeze all others, before the last of
 * them is started.
 */
static int thaw(struct own_binding *b, const uint64_t *after)
{
	b->state = RUNNING;
	if (b->group && b->reqs->ops->thaw(b->group, after) == -1)
		return -1;
	if (smpl_thaw(b->smpl) == -1)
		return -1;
	return b->state == RUNNING ? 0 : freeze_counters(b);
}

/*
 * Overflows that were not signalled before the restart are forgotten. Notices of records
 * are sent on, since the records can still be read.
 */
static void forget_notices(struct own_binding *b)
{
	for (int fd; (fd = sigemt_take()) >= 0;)
		if (!(b->group && b->reqs->ops->owns(b->group, fd)) &&
		    smpl_owns(b->smpl, fd))
			sigemt_send(NULL);
}

static int restart(struct own_binding *b)
{
	const struct requests *r = b->reqs;
	uint64_t on;
	int64_t ns;

	if (b->state != DISABLED && own_freeze(b) == -1)
		return -1;
	if (b->notifies)
		forget_notices(b);
	if (b->group && r->ops->read(b->group, b->base, &ns, &on) == -1)
		return -1;
	for (unsigned i = 0; i < r->n; i++)
		b->began[i] = b->preset[i];
	__atomic_add_fetch(&b->restarts, 1, __ATOMIC_RELEASE);
	own_set_after(b, b->preset);
	if (smpl_restart(b->smpl, b->preset) == -1)
		return -1;
	return thaw(b, b->after);
}

int cpc_set_restart(cpc_t *cpc, cpc_set_t *set)
{
	struct own_binding *b = enter_valid(cpc);
	int rc = -1;

	if (!b)
		return -1;
	if (b->binding.set == set)
		rc = restart(b);
	else
		errno = EINVAL;
	leave(b);
	return rc;
}

/*
 * An overflow may have frozen the counters already: handlers call this after one
 * (cpc_bind_curlwp(3CPC), Example 3), and it also stops the records.
 */
int cpc_disable(cpc_t *cpc)
{
	struct own_binding *b = enter_valid(cpc);
	int rc = -1;

	if (!b)
		return -1;
	if (b->state != DISABLED)
		rc = own_freeze(b);
	else
		errno = EINVAL;
	if (rc == 0)
		b->state = DISABLED;
	leave(b);
	return rc;
}

/* After an overflow the counter is near 0, far from the next overflow. */
int cpc_enable(cpc_t *cpc)
{
	struct own_binding *b = enter_valid(cpc);
	int rc = -1;

	if (!b)
		return -1;
	if (b->state != RUNNING)
		rc = thaw(b, NULL);
	else
		errno = EINVAL;
	leave(b);
	return rc;
}
