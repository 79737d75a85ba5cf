/* The lives of the LWPs that a process will start, and what each of them has counted. */
#ifndef CPC_LIFETIMES_H
#define CPC_LIFETIMES_H

#include <libcpc.h>
#include "engine/lifetimes.h"

struct cpc_lifetimes;

/* What an LWP has done, as in struct engine_life, and what it has counted. */
struct cpc_life {
	enum engine_life_kind kind;
	int64_t ns;
	pid_t pid, tid, parent_pid, parent_tid;
	int parent_sleeps;
	const char *name, *args;
	/* a buf of each set, which the next call may change, where the LWP has values */
	cpc_buf_t *const *buf;
};

/* Records of the kernel, or BPF programs. */
enum lifetimes_by { LIFETIMES_BY_RECORDS, LIFETIMES_BY_BPF };

/*
 * Open the sets on a process that holds them, as struct engine_lifetimes describes it.
 * The sets must outlive the result, which lifetimes_close() frees. Returns NULL with
 * errno, after a message; without a message for ENOMEM, and for ENOTSUP if the engine has
 * no such means.
 */
struct cpc_lifetimes *lifetimes_open(cpc_t *cpc, enum lifetimes_by by,
				     const struct engine_tree *tree, unsigned n,
				     cpc_set_t *const *set);
void lifetimes_close(struct cpc_lifetimes *l); /* NULL is allowed */

/*
 * Returns 0 if lifetimes_open() can succeed, or -1 with an errno and a message of
 * lifetimes_open(). Nothing is opened.
 */
int lifetimes_check(cpc_t *cpc, enum lifetimes_by by);

/* These are calls of struct engine_lifetimes. */
void lifetimes_read(struct cpc_lifetimes *l, int all, void *arg,
		    void (*fn)(void *arg, const struct cpc_life *life));
int lifetimes_living(struct cpc_lifetimes *l, void *arg,
		     void (*fn)(void *arg, const struct cpc_life *life));
uint64_t lifetimes_lost(const struct cpc_lifetimes *l);
const char *lifetimes_why_absent(const struct cpc_lifetimes *l);

/*
 * Does the kernel record the end of an LWP? tid: a child of the holder, which has ended.
 * What else has happened is forgotten.
 */
extern const char lifetimes_no_end[]; /* the words if it does not */
int lifetimes_has_end(struct cpc_lifetimes *l, pid_t tid);
int lifetimes_engine_has_end(const struct engine_lifetimes *ops, struct lifetimes *l,
			     pid_t tid);

/* Sample what all LWPs have counted into a buf of each set. Returns -1 with errno. */
int lifetimes_total(struct cpc_lifetimes *l, cpc_buf_t *const *buf);

#endif
