/* Binding: from requests to counters of an LWP, and samples of them. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "assign.h"
#include "libcpc.h"
#include "libcpc_impl.h"

static const char fn_bind[] = "cpc_bind_pctx";

enum { MAX_REQUESTS = 64 }; /* as many as there can be counters */

/* "A, B and C": the requests whose bits are set. */
static void name_clash(const struct requests *r, uint64_t clash, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (unsigned i = 0; clash && len < size; i++, clash >>= 1) {
		if (!(clash & 1))
			continue;
		const char *sep = len == 0 ? "" : clash >> 1 ? ", " : " and ";
		const int n =
			snprintf(buf + len, size - len, "%s%s", sep, r->req[i].name);

		len += n > 0 ? (size_t)n : 0;
	}
}

/*
 * UltraSPARC's and SPARC64's counters have one mode for all (cpc(3CPC),
 * CPC_CONFLICTING_REQS).
 */
static int check_modes(cpc_t *cpc, const struct requests *r)
{
	if (!cpc->scope.cpu || !cpc->scope.cpu->samemode)
		return 0;
	for (unsigned i = 1; i < r->n; i++)
		if (r->req[i].flags != r->req[0].flags) {
			errno = EINVAL;
			cpc_tell(cpc, fn_bind, CPC_CONFLICTING_REQS,
				 "%s: %s and %s must count the same modes on %s",
				 cpc_subcode_text(CPC_CONFLICTING_REQS), r->req[0].name,
				 r->req[i].name, cpc->scope.cpu->title);
			return -1;
		}
	return 0;
}

static int assign(cpc_t *cpc, struct requests *r)
{
	uint64_t can[MAX_REQUESTS], clash;
	unsigned pic[MAX_REQUESTS];
	char names[CPC_MAX_EVENT_LEN];

	if (r->n == 0 || r->n > MAX_REQUESTS) {
		errno = EINVAL;
		return -1;
	}
	if (check_modes(cpc, r) == -1)
		return -1;
	for (unsigned i = 0; i < r->n; i++)
		can[i] = r->req[i].can;
	if (assign_pics(can, r->n, pic, &clash) == -1) {
		name_clash(r, clash, names, sizeof names);
		cpc_tell(cpc, fn_bind, CPC_RESOURCE_UNAVAIL,
			 "%s: %s cannot be counted together",
			 cpc_subcode_text(CPC_RESOURCE_UNAVAIL), names);
		return -1;
	}
	for (unsigned i = 0; i < r->n; i++)
		r->req[i].pic = pic[i];
	r->assigned = 1;
	return 0;
}

int cpc_bind_pctx(cpc_t *cpc, pctx_t *pctx, id_t lwpid, cpc_set_t *set, uint_t flags)
{
	const struct engine_ops *ops = cpc->scope.ops;
	struct requests *r = set->reqs;
	struct why why;

	if (set->cpc != cpc || (flags & ~(uint_t)CPC_BIND_TREE)) {
		errno = EINVAL;
		return -1;
	}
	if (!r->assigned && assign(cpc, r) == -1)
		return -1;
	const struct target target = {
		.tid = pctx_tid(pctx, lwpid),
		.tree = (flags & CPC_BIND_TREE) != 0,
	};
	if (target.tid == -1)
		return -1;
	ops->unbind(set->bound);
	set->bound = ops->bind(cpc->scope.engine, &target, r->sel, r->n, &why);
	if (set->bound)
		return 0;
	if (errno != ESRCH)
		cpc_tell(cpc, fn_bind, CPC_REFUSED, "%s", why.text);
	return -1;
}

int cpc_unbind(cpc_t *cpc, cpc_set_t *set)
{
	if (set->cpc != cpc || !set->bound) {
		errno = EINVAL;
		return -1;
	}
	cpc->scope.ops->unbind(set->bound);
	set->bound = NULL;
	return 0;
}

int cpc_set_sample(cpc_t *cpc, cpc_set_t *set, cpc_buf_t *buf)
{
	struct requests *r = set->reqs;

	if (set->cpc != cpc || buf->cpc != cpc || !set->bound || buf->n != r->n) {
		errno = EINVAL;
		return -1;
	}
	if (cpc->scope.ops->read(set->bound, buf->val, &buf->hrtime, &buf->on) == -1)
		return -1;
	buf_take(buf, r);
	for (unsigned i = 0; i < r->n; i++)
		buf->preset[i] = r->req[i].preset;
	return 0;
}
