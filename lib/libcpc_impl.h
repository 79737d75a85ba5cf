/* What a libcpc session holds. */
#ifndef LIBCPC_IMPL_H
#define LIBCPC_IMPL_H

#include "engine.h"
#include "libcpc.h"
#include "resolve.h"

struct request {
	char *name;
	struct meaning is;
	uint64_t preset;
	unsigned flags;
	unsigned nattrs;
	cpc_attr_t *attrs;
	uint64_t can; /* counters that may be assigned: one bit if picnum was given */
	unsigned pic; /* assigned */
	struct evsel *sel;
};

/* A list of requests; the sets that were duplicated from one share it. */
struct requests {
	unsigned refs, n;
	unsigned sets; /* that share it */
	int assigned;  /* every request has its pic */
	const struct engine_ops *ops;
	struct request *req;
	const struct evsel **sel; /* of req[0..n-1], as the engine wants them */
};

/* Links of the lists that a session keeps of its sets and bufs. */
struct link {
	struct link *next, *prev;
};

struct __cpc_set {
	struct link link; /* first: a set is found from its link */
	cpc_t *cpc;
	struct requests *reqs;
	struct group *bound; /* NULL: not bound */
};

struct __cpc_buf {
	struct link link;
	cpc_t *cpc;
	struct requests *reqs; /* whose values these are */
	unsigned n;
	hrtime_t hrtime;
	uint64_t on;	  /* ns on a processor */
	uint64_t *preset; /* n: what the counters began with, to be added to val */
	struct count val[];
};

struct __cpc {
	struct scope scope;
	cpc_errhndlr_t *errhndlr;
	struct link sets, bufs; /* heads of rings */
};

const char *cpc_subcode_text(int subcode);

/* Tell the error handler; errno is kept. */
void cpc_tell(cpc_t *cpc, const char *fn, int subcode, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

void link_init(struct link *head);
void link_add(struct link *head, struct link *l);
void link_drop(struct link *l);

struct requests *requests_keep(struct requests *r);
void requests_drop(struct requests *r);
void request_clear(const struct requests *r, struct request *q);

/* From now on the values of buf are of these requests; there must be as many. */
void buf_take(cpc_buf_t *buf, struct requests *r);

#endif
