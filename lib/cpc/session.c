/* Sessions and sets of libcpc(3LIB). */
#include <libcpc.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpc/cpc.h"
#include "cpc/strict.h"

/* libcpc's texts, by subcode. */
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
};

/* lwp_self(2) of Solaris. */
int _lwp_self(void)
{
	return gettid();
}

void cpc_lock(cpc_t *cpc)
{
	pthread_mutex_lock(&cpc->lock);
}

void cpc_unlock(cpc_t *cpc)
{
	pthread_mutex_unlock(&cpc->lock);
}

static void tell(cpc_t *cpc, const char *fn, int subcode, const char *fmt, va_list ap)
{
	const int saved = errno;

	if (cpc->withheld) {
		cpc->withheld->fn = fn;
		cpc->withheld->subcode = subcode;
		vsnprintf(cpc->withheld->text, sizeof cpc->withheld->text, fmt, ap);
	} else if (cpc->errhndlr) {
		cpc->errhndlr(fn, subcode, fmt, ap);
	} else {
		fprintf(stderr, "libcpc: %s: ", fn);
		vfprintf(stderr, fmt, ap);
		fputc('\n', stderr);
	}
	errno = saved;
}

void cpc_report(cpc_t *cpc, const char *fn, int subcode, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tell(cpc, fn, subcode, fmt, ap);
	va_end(ap);
}

const char *cpc_subcode_text(int subcode)
{
	return subcode_text[subcode];
}

static const struct engine_ops *find_engine(const char *name)
{
	static const struct engine_ops *const engines[] = {&engine_kernel, &engine_sim};

	if (!name || strcmp(name, "auto") == 0)
		return engine_inside() ? &engine_sim : &engine_kernel;
	for (unsigned i = 0; i < sizeof engines / sizeof engines[0]; i++)
		if (strcmp(engines[i]->name, name) == 0)
			return engines[i];
	return NULL;
}

/* Recursive: the error handler is called under it, and may call the library. */
static void lock_init(pthread_mutex_t *lock)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(lock, &attr);
	pthread_mutexattr_destroy(&attr);
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
	cpc_t *cpc = calloc(1, sizeof *cpc);
	if (!cpc)
		return NULL;
	cpc->scope = (struct scope){.cpu = tab, .ops = ops, .engine = ops->open(&why)};
	if (!cpc->scope.engine) {
		const int e = errno;

		free(cpc);
		errno = e;
		return NULL;
	}
	cpc->automatic = !engine || strcmp(engine, "auto") == 0;
	ring_init(&cpc->sets);
	ring_init(&cpc->bufs);
	cpc->refs = 1;
	lock_init(&cpc->lock);
	strict_open(cpc);
	return cpc;
}

cpc_t *cpc_open(int ver)
{
	return cpc_open_cpu(ver, NULL, NULL);
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
	strict_close(cpc);
	pthread_mutex_destroy(&cpc->lock);
	free(cpc);
}

int cpc_close(cpc_t *cpc)
{
	if (!cpc)
		return 0;
	/* Newest first: a set on a CPU gives the LWP's binding back to that before it. */
	while (cpc->sets.prev != &cpc->sets)
		cpc_set_destroy(cpc, (cpc_set_t *)cpc->sets.prev);
	while (cpc->bufs.next != &cpc->bufs)
		cpc_buf_destroy(cpc, (cpc_buf_t *)cpc->bufs.next);
	cpc_drop(cpc);
	return 0;
}

/* Is there a session? Else errno is EINVAL. */
static int is_session(const cpc_t *cpc)
{
	if (cpc)
		return 1;
	errno = EINVAL;
	return 0;
}

/* Is the set one of the session's? Else errno is EINVAL. */
static int is_set_of(const cpc_t *cpc, const cpc_set_t *set)
{
	if (cpc && set && set->cpc == cpc)
		return 1;
	errno = EINVAL;
	return 0;
}

int cpc_seterrhndlr(cpc_t *cpc, cpc_errhndlr_t *fn)
{
	if (!is_session(cpc))
		return -1;
	cpc->errhndlr = fn;
	return 0;
}

uint_t cpc_npic(cpc_t *cpc)
{
	if (!is_session(cpc))
		return 0;
	return cpc->scope.cpu ? cpc->scope.cpu->npic
			      : cpc->scope.ops->npic(cpc->scope.engine);
}

uint_t cpc_caps(cpc_t *cpc)
{
	const uint_t overflow = CPC_CAP_OVERFLOW_INTERRUPT | CPC_CAP_OVERFLOW_PRECISE;
	const uint_t smpl = CPC_CAP_SMPL | CPC_CAP_OVERFLOW_SMPL;

	if (!is_session(cpc))
		return 0;
	return (cpc->scope.ops->owns ? overflow : 0) | (cpc_smpl_npic(cpc) ? smpl : 0);
}

const char *cpc_cciname(cpc_t *cpc)
{
	if (!is_session(cpc))
		return NULL;
	return cpc->scope.cpu ? cpc->scope.cpu->title
			      : cpc->scope.ops->cciname(cpc->scope.engine);
}

const char *cpc_cpuref(cpc_t *cpc)
{
	if (!is_session(cpc))
		return NULL;
	const struct evtab *cpu = cpc->scope.cpu;
	if (!cpu)
		return "See perf_event_open(2) for the kernel's events, and your processor's "
		       "manual for the names that libpfm4 gives to its own.";
	return cpu->cpuref ? cpu->cpuref : "No information available";
}

struct requests *requests_keep(struct requests *r)
{
	__atomic_add_fetch(&r->refs, 1, __ATOMIC_RELAXED);
	return r;
}

void request_clear(const struct requests *r, struct request *q)
{
	for (unsigned i = 0; i < q->nattrs; i++)
		free(q->attrs[i].ca_name);
	free(q->attrs);
	free(q->name);
	r->ops->drop(q->sel);
}

void requests_drop(struct requests *r)
{
	if (!r || __atomic_sub_fetch(&r->refs, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	for (unsigned i = 0; i < r->n; i++)
		request_clear(r, &r->req[i]);
	free(r->req);
	free(r->sel);
	free(r->counted);
	free(r);
}

static cpc_set_t *set_new(cpc_t *cpc, struct requests *reqs)
{
	cpc_set_t *set = calloc(1, sizeof *set);

	if (!set)
		return NULL;
	set->cpc = cpc;
	set->reqs = reqs;
	cpc_lock(cpc);
	reqs->sets++;
	ring_add(&cpc->sets, &set->link);
	cpc_unlock(cpc);
	return set;
}

cpc_set_t *cpc_set_create(cpc_t *cpc)
{
	if (!is_session(cpc))
		return NULL;
	struct requests *reqs = calloc(1, sizeof *reqs);

	if (!reqs)
		return NULL;
	reqs->refs = 1;
	reqs->ops = cpc->scope.ops;
	cpc_set_t *set = set_new(cpc, reqs);
	if (!set)
		requests_drop(reqs);
	return set;
}

cpc_set_t *cpc_set_dup(cpc_t *cpc, const cpc_set_t *set)
{
	if (!is_set_of(cpc, set))
		return NULL;
	cpc_set_t *dup = set_new(cpc, set->reqs);
	if (dup)
		requests_keep(dup->reqs);
	return dup;
}

int cpc_set_destroy(cpc_t *cpc, cpc_set_t *set)
{
	if (!is_set_of(cpc, set))
		return -1;
	cpc_lock(cpc);
	bind_undo(set);
	ring_drop(&set->link);
	set->reqs->sets--;
	cpc_unlock(cpc);
	requests_drop(set->reqs);
	free(set);
	return 0;
}

void cpc_walk_requests(cpc_t *cpc, cpc_set_t *set, void *arg,
		       void (*action)(void *arg, int index, const char *event,
				      uint64_t preset, uint_t flags, int nattrs,
				      const cpc_attr_t *attrs))
{
	if (!is_set_of(cpc, set))
		return;
	if (!action) {
		errno = EINVAL;
		return;
	}
	for (unsigned i = set->reqs->n; i-- > 0;) {
		const struct request *q = &set->reqs->req[i];

		action(arg, (int)i, q->name, q->preset, q->flags, (int)q->nattrs,
		       q->attrs);
	}
}

const char *cpc_request_note(cpc_t *cpc, const cpc_set_t *set, int index)
{
	if (!is_set_of(cpc, set))
		return NULL;
	if (index < 0 || (unsigned)index >= set->reqs->n)
		return NULL;
	return set->reqs->ops->note(set->reqs->req[index].sel);
}
