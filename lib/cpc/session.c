#include "cpc/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lock.h"
#include "base/pool.h"
#include "base/text.h"
#include "cpc/strict.h"
#include "engine/why.h"

static struct pool sessions = {.size = sizeof(cpc_t)};

/* The texts of libcpc, by subcode. */
static const char *const subcode_text[] = {
	[CPC_INVALID_EVENT] = "Unknown event",
	[CPC_INVALID_PICNUM] = "Invalid counter number",
	[CPC_INVALID_ATTRIBUTE] = "Unknown attribute",
	[CPC_ATTRIBUTE_OUT_OF_RANGE] = "Attribute out of range",
	[CPC_RESOURCE_UNAVAIL] = "Hardware resource unavailable",
	[CPC_PIC_NOT_CAPABLE] = "Counter cannot count requested event",
	[CPC_REQ_INVALID_FLAGS] = "Invalid flags in a request",
	[CPC_CONFLICTING_REQS] = "Requests conflict with each other",
	[CPC_ATTR_REQUIRES_PRIVILEGE] = "Attribute requires the cpc_cpu privilege",
	[CPC_PBIND_FAILED] = "Couldn't bind LWP to requested processor",
	[CPC_HV_NO_ACCESS] = "Hypervisor event access denied",
};

/* lwp_self(2) of Solaris */
int _lwp_self(void)
{
	return gettid();
}

void cpc_lock(cpc_t *cpc)
{
	(void)cpc;
	lock_hold();
}

void cpc_unlock(cpc_t *cpc)
{
	(void)cpc;
	lock_release();
}

/* Call the error handler of the session with "%s\n" and its argument. */
__attribute__((format(printf, 4, 5))) static void call_handler(cpc_t *cpc, const char *fn,
							       int subcode,
							       const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	cpc->errhndlr(fn, subcode, fmt, ap);
	va_end(ap);
}

void cpc_report(cpc_t *cpc, const char *fn, int subcode, const char *fmt, ...)
{
	char text[sizeof cpc->withheld->text];
	const int saved = errno;
	va_list ap;

	va_start(ap, fmt);
	text_message(text, sizeof text, fmt, ap);
	va_end(ap);
	if (cpc->withheld) {
		cpc->withheld->fn = fn;
		cpc->withheld->subcode = subcode;
		memcpy(cpc->withheld->text, text, sizeof text);
	} else if (cpc->errhndlr) {
		call_handler(cpc, fn, subcode, "%s\n", text);
	} else {
		fprintf(stderr, "libcpc: %s: %s\n", fn, text);
	}
	errno = saved;
}

const char *cpc_subcode_text(int subcode)
{
	return subcode_text[subcode];
}

static const struct {
	const struct engine_ops *ops;
	const char *title;
} engines[] = {
	{&engine_kernel, "this machine, by the events of its kernel"},
	{&engine_sim, "a model of a processor that the program is simulated on"},
};

enum { NENGINES = sizeof engines / sizeof engines[0] };

static const struct engine_ops *find_engine(const char *name)
{
	if (!name || strcmp(name, "auto") == 0)
		return engine_inside() ? &engine_sim : &engine_kernel;
	for (unsigned i = 0; i < NENGINES; i++)
		if (strcmp(engines[i].ops->name, name) == 0)
			return engines[i].ops;
	return NULL;
}

void cpc_engines(void *arg,
		 void (*action)(void *arg, const char *engine, const char *title))
{
	for (unsigned i = 0; action && i < NENGINES; i++)
		action(arg, engines[i].ops->name, engines[i].title);
}

cpc_t *cpc_open_cpu(int ver, const char *cpu, const char *engine)
{
	const struct engine_ops *ops = find_engine(engine);
	const struct evtab *tab = cpu ? evtab_find(cpu) : NULL;
	struct why why;

	if (ver != CPC_VER_CURRENT || !ops || (cpu && !tab)) {
		errno = EINVAL;
		return NULL;
	}
	cpc_t *cpc = pool_get(&sessions);
	if (!cpc)
		return NULL;
	/* The first call initializes libpfm4, for which a fork(2) must wait. */
	lock_hold();
	cpc->scope = (struct scope){.cpu = tab, .ops = ops, .engine = ops->open(&why)};
	lock_release();
	if (!cpc->scope.engine) {
		const int e = errno;

		pool_put(&sessions, cpc);
		errno = e;
		return NULL;
	}
	if (ops->beside)
		ops->beside(cpc->scope.engine, &engine_kernel);
	cpc->automatic = !engine || strcmp(engine, "auto") == 0;
	ring_init(&cpc->owned);
	cpc->open = 1;
	cpc->refs = 1;
	strict_open(&cpc->strict);
	return cpc;
}

cpc_t *cpc_open(int ver)
{
	return cpc_open_cpu(ver, NULL, NULL);
}

int session_machine(cpc_t *cpc, const struct engine_machine *m)
{
	const struct scope *s = &cpc->scope;
	struct why why;

	if ((!m->machine && !m->nset) ||
	    (s->ops->machine && s->ops->machine(s->engine, m, &why) == 0))
		return 0;
	if (!s->ops->machine)
		why_refuse(&why, ENOTSUP, "the engine %s does not simulate a machine",
			   s->ops->name);
	cpc_report(cpc, "cpc_open", CPC_REFUSED, "%s", why.text);
	return -1;
}

cpc_t *cpc_keep(cpc_t *cpc)
{
	__atomic_add_fetch(&cpc->refs, 1, __ATOMIC_RELAXED);
	return cpc;
}

void cpc_drop(cpc_t *cpc)
{
	if (__atomic_sub_fetch(&cpc->refs, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	cpc->scope.ops->close(cpc->scope.engine);
	strict_close(&cpc->strict);
	pool_put(&sessions, cpc);
}

int cpc_close(cpc_t *cpc)
{
	if (!cpc)
		return 0;
	if (!__atomic_exchange_n(&cpc->open, 0, __ATOMIC_ACQ_REL)) {
		errno = EINVAL;
		return -1;
	}
	/*
	 * The newest first: a set that was bound to a CPU moves the LWP back to where the
	 * set before it had moved the LWP.
	 */
	while (cpc->owned.prev != &cpc->owned) {
		struct owned *newest = (struct owned *)cpc->owned.prev;

		newest->destroy(newest);
	}
	cpc_drop(cpc);
	return 0;
}

int cpc_seterrhndlr(cpc_t *cpc, cpc_errhndlr_t *fn)
{
	if (!session_is_open(cpc))
		return -1;
	cpc->errhndlr = fn;
	return 0;
}

const char *cpc_engine_name(cpc_t *cpc)
{
	return session_is_open(cpc) ? cpc->scope.ops->name : NULL;
}

uint_t cpc_npic(cpc_t *cpc)
{
	if (!session_is_open(cpc))
		return 0;
	return cpc->scope.cpu ? cpc->scope.cpu->npic
			      : cpc->scope.ops->npic(cpc->scope.engine);
}

const char *cpc_cciname(cpc_t *cpc)
{
	if (!session_is_open(cpc))
		return NULL;
	return cpc->scope.cpu ? cpc->scope.cpu->title
			      : cpc->scope.ops->cciname(cpc->scope.engine);
}

const char *cpc_cpuref(cpc_t *cpc)
{
	if (!session_is_open(cpc))
		return NULL;
	const struct evtab *cpu = cpc->scope.cpu;
	if (!cpu)
		return "See perf_event_open(2) for the kernel's events, and your "
		       "processor's manual for the names that libpfm4 gives to its own.";
	return cpu->cpuref ? cpu->cpuref : "No information available";
}
