/* Binds of sets to CPUs, and where the calling LWP runs meanwhile. */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libcpc.h>
#include "cpc/assign.h"
#include "cpc/bind.h"
#include "cpc/buf.h"
#include "cpc/on_cpu.h"
#include "cpc/session.h"
#include "cpc/set.h"
#include "cpc/strict.h"

enum { FIRST_GUESS = 1024, MOST_CPUS = 1 << 20 };

/* A set of CPUs, as sched_setaffinity(2) takes it. */
struct mask {
	size_t size; /* bytes */
	cpu_set_t *cpus;
};

/* The binding of a set to a CPU, and the state that unbinding restores. */
struct cpu_binding {
	struct binding binding; /* first */
	struct on_cpu on;
	pid_t moved; /* the LWP that moves back to the CPUs below; 0: none */
	struct mask to;
};

static int mask_new(struct mask *m, int ncpus)
{
	m->size = CPU_ALLOC_SIZE(ncpus);
	m->cpus = CPU_ALLOC(ncpus);
	if (!m->cpus)
		return -1;
	CPU_ZERO_S(m->size, m->cpus);
	return 0;
}

/*
 * Read the CPUs of the calling LWP. The kernel refuses a mask that is shorter than its
 * own (sched_setaffinity(2)).
 */
static int mask_get(struct mask *m)
{
	for (int ncpus = FIRST_GUESS;; ncpus *= 2) {
		if (mask_new(m, ncpus) == -1)
			return -1;
		if (sched_getaffinity(0, m->size, m->cpus) == 0)
			return 0;
		CPU_FREE(m->cpus);
		m->cpus = NULL;
		if (errno != EINVAL || ncpus >= MOST_CPUS)
			return -1;
	}
}

/* Set all CPUs; the kernel ignores those that are not in the cpuset of the LWP. */
static int mask_all(struct mask *m)
{
	if (mask_get(m) == -1)
		return -1;
	memset(m->cpus, 0xff, m->size);
	return 0;
}

static int go_to(int cpu)
{
	struct mask m;

	if (mask_new(&m, cpu < FIRST_GUESS ? FIRST_GUESS : cpu + 1) == -1)
		return -1;
	CPU_SET_S((size_t)cpu, m.size, m.cpus);
	const int rc = sched_setaffinity(0, m.size, m.cpus);
	const int e = errno;
	CPU_FREE(m.cpus);
	errno = e;
	return rc;
}

/* Returns 1 if the calling LWP is bound to this CPU only. */
static int is_on(int cpu)
{
	struct mask m;

	if (mask_get(&m) == -1)
		return 0;
	const int on = CPU_ISSET_S((size_t)cpu, m.size, m.cpus) &&
		       CPU_COUNT_S(m.size, m.cpus) == 1;
	CPU_FREE(m.cpus);
	return on;
}

/*
 * Move the calling LWP to the CPU, as the flags of cpc_bind_cpu(3CPC) say, and note where
 * the LWP moves back to. With only CPC_FLAGS_NOPBIND the former CPUs are not known:
 * the LWP moves back to all CPUs. Returns -1 with EINVAL if the LWP cannot run
 * there, or with errno of sched_setaffinity(2) or calloc(3).
 */
static int place_caller(struct cpu_binding *c, int cpu, uint_t flags)
{
	const int here = (flags & CPC_FLAGS_NOPBIND) != 0;

	if (flags & CPC_FLAGS_REMOTE)
		return 0;
	if (here && !is_on(cpu)) {
		errno = EINVAL;
		return -1;
	}
	if (!(flags & CPC_FLAGS_NORELE)) {
		if ((here ? mask_all(&c->to) : mask_get(&c->to)) == -1)
			return -1;
		c->moved = gettid();
	}
	return here ? 0 : go_to(cpu);
}

/* The engine is asked first: it knows best why a CPU cannot be counted. */
static int bind_there(cpc_t *cpc, int cpu, const struct requests *r, uint_t flags,
		      struct cpu_binding *c)
{
	static const char fn[] = "cpc_bind_cpu";
	const struct on_cpu_place place = {.cpu = cpu};

	if (on_cpu_bind(cpc, fn, &place, r, &c->on) == -1)
		return -1;
	if (place_caller(c, cpu, flags) == -1) {
		if (errno == EINVAL)
			cpc_report(cpc, fn, CPC_PBIND_FAILED, "%s: CPU %d%s",
				   cpc_subcode_text(CPC_PBIND_FAILED), cpu,
				   flags & CPC_FLAGS_NOPBIND
					   ? ": CPC_FLAGS_NOPBIND needs the caller to be "
					     "bound to it already"
					   : " is not in its cpuset");
		return -1;
	}
	return on_cpu_bound(&c->on);
}

static int sample(cpc_set_t *set, cpc_buf_t *buf)
{
	const struct cpu_binding *c = (struct cpu_binding *)set->bindings.next;

	if (on_cpu_read(set->cpc, &c->on, buf->val, &buf->hrtime, &buf->on) == -1)
		return -1;
	buf_set_presets(buf, set->reqs);
	return 0;
}

/*
 * Only the LWP itself moves back: another one does not know whether that LWP still lives.
 */
static void unbind(struct binding *binding)
{
	struct cpu_binding *c = (struct cpu_binding *)binding;
	const int saved = errno;

	binding_drop(binding);
	if (c->moved == gettid())
		sched_setaffinity(0, c->to.size, c->to.cpus);
	CPU_FREE(c->to.cpus);
	on_cpu_unbind(binding->set->cpc, &c->on);
	free(c);
	errno = saved;
}

static const struct binding_ops to_cpu = {.sample = sample, .unbind = unbind};

static int bind_cpu(cpc_t *cpc, int cpu, cpc_set_t *set, uint_t flags)
{
	if (assign_counters(cpc, "cpc_bind_cpu", set) == -1 ||
	    bind_check_plain(cpc, "cpc_bind_cpu", set) == -1)
		return -1;
	set_unbind(set);
	struct cpu_binding *c = calloc(1, sizeof *c);
	if (!c)
		return -1;
	c->on.token = STRICT_OFF;
	binding_add(&c->binding, set, &to_cpu);
	if (bind_there(cpc, cpu, set->reqs, flags, c) == 0)
		return 0;
	set_unbind(set);
	return -1;
}

static int are_flags(uint_t flags)
{
	return flags == CPC_FLAGS_REMOTE ||
	       !(flags & ~(uint_t)(CPC_FLAGS_NORELE | CPC_FLAGS_NOPBIND));
}

int cpc_bind_cpu(cpc_t *cpc, processorid_t id, cpc_set_t *set, uint_t flags)
{
	if (!set_is_of(cpc, set) || id < 0 || !are_flags(flags)) {
		errno = EINVAL;
		return -1;
	}
	cpc_lock(cpc);
	const int rc = bind_cpu(cpc, id, set, flags);
	cpc_unlock(cpc);
	return rc;
}
