/* What an engine reports of LWPs whose births and ends it records. */
#ifndef ENGINE_LIFETIMES_H
#define ENGINE_LIFETIMES_H

#include "engine/engine.h"

struct lifetimes; /* the events or programs that report the lives of LWPs */

/* What has happened to an LWP of a tree of processes. */
enum engine_life_kind {
	LIFE_BIRTH, /* the LWP was created */
	LIFE_NAME,  /* the LWP has another name */
	LIFE_EXEC,  /* the LWP has executed a program, whose name it has */
	LIFE_END,   /* the LWP is counted no further */
	LIFE_TICK   /* the LWP lives */
};

struct engine_life {
	enum engine_life_kind kind;
	int64_t ns; /* CLOCK_MONOTONIC */
	pid_t pid, tid;
	pid_t parent_pid, parent_tid; /* LIFE_BIRTH: the LWP that created it */
	/*
	 * LIFE_BIRTH: that LWP sleeps in vfork(2) until this one executes a program or
	 * ends. 0 if that is not known.
	 */
	int parent_sleeps;
	const char *name; /* LIFE_NAME, LIFE_EXEC; else its name or NULL */
	const char *args; /* LIFE_EXEC: the command line, or NULL if it is not known */
	/*
	 * LIFE_END, LIFE_TICK: what the LWP has counted; values that were lost are
	 * absent. LIFE_EXEC: what it has counted before the exec, or NULL, which means
	 * that the counts go on. Other kinds: NULL.
	 */
	const struct count *val;
};

/*
 * The LWPs to count. A process, the holder, waits while events are opened on it. What it
 * starts afterwards is counted from its next exec on, with all that it will start. The
 * holder must not run a program, and must live until the end.
 */
struct engine_tree {
	pid_t holder;
	int follow_fork; /* count child processes, too */
	int follow_exec; /* count the programs that processes execute later, too */
};

/* The lives of LWPs, and what each of them has counted, without a tracer. */
struct engine_lifetimes {
	/*
	 * Returns 0 if open() can succeed, or -1 with errno and *why; nothing is opened.
	 * NULL: only open() finds out.
	 */
	int (*check)(struct why *why);
	/*
	 * sel must live as long as the result. An engine may count more than is to be
	 * followed, and report births, names and execs of LWPs that are not of the tree.
	 * The tree has the LWPs that the holder or a process of the tree has created.
	 */
	struct lifetimes *(*open)(struct engine *e, const struct engine_tree *tree,
				  const struct evsel *const *sel, unsigned n,
				  struct why *why);
	void (*close)(struct lifetimes *l); /* NULL is allowed */
	/*
	 * Call fn for what has happened, in the order of time. all: up to now; else what
	 * happened just now is left for the next call, because the kernel may still be
	 * writing it.
	 */
	void (*read)(struct lifetimes *l, int all, void *arg,
		     void (*fn)(void *arg, const struct engine_life *life));
	/*
	 * Call fn with LIFE_TICK for each LWP that lives, of those whose births read()
	 * has reported. Returns -1 with errno. NULL: the counts of LWPs that live are not
	 * known.
	 */
	int (*living)(struct lifetimes *l, void *arg,
		      void (*fn)(void *arg, const struct engine_life *life));
	/*
	 * Read the sums over all LWPs, both those that have ended and those that live.
	 * Returns -1 with errno.
	 */
	int (*total)(struct lifetimes *l, struct count *val);
	/* Returns how many records were lost, and LWPs that could not be counted. */
	uint64_t (*lost)(const struct lifetimes *l);
	/*
	 * Returns why values that were reported are absent, in words, or NULL if none
	 * are. NULL: values are never absent.
	 */
	const char *(*why_absent)(const struct lifetimes *l);
};

#endif
