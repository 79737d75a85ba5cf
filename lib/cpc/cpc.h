/*
 * The objects of libcpc: sessions, sets and their requests, bufs. They
 * come from pools (base/pool.h), so that a call can recognize an object that was freed.
 */
#ifndef CPC_CPC_H
#define CPC_CPC_H

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
	unsigned nattrs; /* without picnum */
	/* if placed, attrs[nattrs] is picnum */
	cpc_attr_t *attrs;
	/* mask of the counters that may be assigned; picnum leaves one bit */
	uint64_t can;
	int placed;   /* picnum was given: pic is the counter */
	unsigned pic; /* the counter that was assigned */
	struct evsel *sel;
	unsigned nrecs; /* CPC_HW_SMPL: the number of records between two signals */
	uint64_t items; /* CPC_HW_SMPL: bit n: a record has item n */
};

/* The requests of a set; sets that were duplicated from one another share the list. */
struct requests {
	unsigned refs, n;
	unsigned sets;	/* how many sets share the list */
	unsigned flags; /* CPC_SET_MULTIPLEX or 0 */
	int assigned;	/* every request has its counter (pic), and its turn */
	unsigned turns; /* if assigned: 1, or more if flags is CPC_SET_MULTIPLEX */
	const struct engine_ops *ops;
	struct request *req;
	/* The requests that are counted, which are all without CPC_HW_SMPL. */
	unsigned ncounted;
	const struct evsel **sel; /* their evsels */
	unsigned *counted;	  /* their indices in req, ascending */
	unsigned char *turn;	  /* their turns, from 0 */
};

/* The last message of a session whose messages are withheld from the error handler. */
struct withheld {
	const char *fn; /* NULL: there was no message */
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
	struct owned owned; /* first: its address is that of the set */
	cpc_t *cpc;	    /* NULL: the set was destroyed */
	struct requests *reqs;
	struct ring bindings; /* head of the ring of struct binding (cpc/set.h) */
	/* The operations of all bindings; NULL: not bound. Also read without the lock. */
	const struct binding_ops *bound;
};

struct __cpc_buf {
	struct owned owned;    /* first: its address is that of the buf */
	cpc_t *cpc;	       /* NULL: the buf was destroyed */
	struct requests *reqs; /* the requests whose values the buf holds */
	unsigned n;
	hrtime_t hrtime;
	uint64_t on;		/* ns that the LWP ran, or that the CPU counted */
	struct count *val;	/* n */
	uint64_t *preset;	/* n presets, to be added to val; in the memory of val */
	struct smpl_recs *smpl; /* n; NULL: no request takes records */
};

struct __cpc {
	int open;      /* 0: the session was closed */
	unsigned refs; /* one of the owner, one of each LWP that has counters */
	struct scope scope;
	int places;    /* the owner calls cpc_place() for breakpoints at names */
	int automatic; /* the caller did not ask for an engine by name */
	cpc_errhndlr_t *errhndlr;
	struct withheld *withheld; /* where messages go; NULL: to errhndlr */
	/* cpc_lock() protects the members below, and the engine except its reads. */
	struct ring owned; /* head of the ring of sets and bufs, the oldest first */
	uint64_t binds;	   /* the number of the last bind of the calling LWP */
	struct strict strict;
};

#endif
