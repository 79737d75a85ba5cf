#include "check.h"

#include <err.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

struct copy {
	struct check *check;
	cpc_t *cpc;
	int left; /* how many more requests may be copied */
	int failed;
};

/* cpc_walk_requests() begins with the newest request. */
static void copy_request(void *arg, int index, const char *event, uint64_t preset,
			 uint_t flags, int nattrs, const cpc_attr_t *attrs)
{
	struct copy *copy = arg;
	struct check *c = copy->check;

	(void)preset;
	(void)nattrs;
	(void)attrs;
	if (copy->left == 0 || cpc_event_takes_counter(copy->cpc, event))
		return;
	copy->left--;
	if (cpc_set_add_request(copy->cpc, c->set, event, 0, flags, 0, NULL) == -1)
		copy->failed = 1;
	else
		c->index[c->n++] = (unsigned)index;
}

void check_start(struct check *c, cpc_t *cpc, pctx_t *pctx, id_t lwpid,
		 const struct sets_member *rows, int all)
{
	struct copy copy = {.check = c, .cpc = cpc, .left = all ? INT_MAX : 1};

	c->set = cpc_set_create(cpc);
	c->index = calloc(rows->show.n + 1, sizeof *c->index);
	c->sum = calloc(rows->show.n + 1, sizeof *c->sum);
	if (!c->set || !c->index || !c->sum)
		goto cancel;
	cpc_walk_requests(cpc, rows->set, &copy, copy_request);
	if (copy.failed || c->n == 0 ||
	    cpc_bind_pctx(cpc, pctx, lwpid, c->set, CPC_BIND_TREE) == -1)
		goto cancel;
	return;
cancel:
	check_cancel(c, cpc);
}

void check_add(struct check *c, cpc_t *cpc, cpc_buf_t *total)
{
	cpc_value_t v;

	for (unsigned i = 0; c->set && i < c->n; i++)
		if (cpc_buf_value(cpc, total, (int)c->index[i], &v) == 0)
			c->sum[i] += v.count;
}

void check_cancel(struct check *c, cpc_t *cpc)
{
	if (c->set)
		cpc_set_destroy(cpc, c->set);
	free(c->index);
	free(c->sum);
	*c = (struct check){0};
}

/*
 * The tree's count can be smaller than the sum: at the exec of a set-id program the
 * kernel removes the inherited events too.
 */
void check_end(struct check *c, cpc_t *cpc, const struct row_set *show)
{
	cpc_buf_t *buf = c->set ? cpc_buf_create(cpc, c->set) : NULL;

	if (buf && cpc_set_sample(cpc, c->set, buf) == 0)
		for (unsigned i = 0; i < c->n; i++) {
			cpc_value_t v;

			cpc_buf_value(cpc, buf, (int)i, &v);
			if (v.count > c->sum[i])
				warnx("%s: the kernel counted %" PRIu64
				      " in the whole tree, %" PRIu64
				      " more than in the LWPs (in new LWPs before cputrack "
				      "attached to them, or in processes that cannot be traced)",
				      show->event[c->index[i]], v.count,
				      v.count - c->sum[i]);
		}
	if (buf)
		cpc_buf_destroy(cpc, buf);
	check_cancel(c, cpc);
}
