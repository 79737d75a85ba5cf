/* What a libcpc session holds. */
#ifndef CPC_CPC_H
#define CPC_CPC_H

#include <pthread.h>

#include <libcpc.h>
#include "base/ring.h"
#include "cpc/names.h"
#include "cpc/strict.h"
#include "engine/engine.h"

struct request {
	char *name;
	struct resolved event;
	uint64_t preset;
	unsigned flags;
	unsigned nattrs;
	cpc_attr_t *attrs;
	uint64_t can; /* counters that may be assigned: one bit if picnum was given */
	unsigned pic; /* assigned */
	struct evsel *sel;
	/* CPC_HW_SMPL: records for a notification, and bit n: records have item n */
	unsigned nrecs;
	uint64_t items;
};

/* A list of requests; the sets that were duplicated from one share it. */
struct requests {
	unsigned refs, n;
	unsigned sets; /* that share it */
	int assigned;  /* every request has its pic */
	const struct engine_ops *ops;
	struct request *req;
	/* Those that are counted, all but CPC_HW_SMPL: as the engine wants them, ... */
	unsigned ncounted;
	const struct evsel **sel;
	unsigned *counted; /* ... and their indices, ascending */
};

/* Words that are kept back instead of being told: the last of them. */
struct withheld {
	const char *fn; /* NULL: there were none */
	int subcode;
	char text[1024];
};

struct binding_ops;
struct smpl_recs;

/* An object of a session, which destroys the object when it is closed. */
struct owned {
	struct ring link; /* in the session's ring */
	void (*destroy)(struct owned *o);
};

struct __cpc_set {
	struct owned owned; /* first: the set is found from it */
	cpc_t *cpc;
	struct requests *reqs;
	struct ring bindings; /* head of the set's bindings (cpc/bind.h) */
	/* What the bindings can do; NULL: the set is not bound. Read without the lock too. */
	const struct binding_ops *bound;
};

struct __cpc_buf {
	struct owned owned; /* first: the buf is found from it */
	cpc_t *cpc;
	struct requests *reqs; /* whose values these are */
	unsigned n;
	hrtime_t hrtime;
	uint64_t on;		/* ns on a processor */
	uint64_t *preset;	/* n: what the counters began with, to be added to val */
	struct smpl_recs *smpl; /* n: libcpc_smpl.h; NULL: no request takes records */
	struct count val[];
};

struct __cpc {
	unsigned refs; /* its maker's, and one of each LWP that has counters */
	struct scope scope;
	int automatic; /* the engine was not asked for by name */
	cpc_errhndlr_t *errhndlr;
	struct withheld *withheld; /* NULL: words are told */
	pthread_mutex_t
		lock;	   /* recursive; of all below, and of the engine but its reads */
	struct ring owned; /* head of the ring of sets and bufs, the oldest first */
	struct strict strict;
};

#endif
