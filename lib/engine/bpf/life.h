/* What the programs in the kernel (tasks.bpf.c) and their reader (tasks.c) share. */
#ifndef ENGINE_BPF_LIFE_H
#define ENGINE_BPF_LIFE_H

#include <linux/types.h>

enum {
	BPF_MOST_PARTS = 16, /* events, of which each has a bit in a mask of 32 bits */
	BPF_NAME_SIZE = 16,  /* TASK_COMM_LEN of Linux */
	BPF_ARGS_SIZE = 80
};

enum bpf_life_kind {
	BPF_LIFE_BIRTH = 1,
	BPF_LIFE_VFORK, /* a birth; the creator sleeps until this LWP executes or ends */
	BPF_LIFE_EXEC,
	BPF_LIFE_END
};

/* A count, and ns for which the event was enabled and was on a counter. */
struct bpf_value {
	__u64 count, enabled, running;
};

/*
 * What has happened to an LWP, and what it has counted since its birth or its last exec.
 * A process or an LWP can have another id in each namespace of pids; these are its ids in
 * the namespace of the reader.
 */
struct bpf_life {
	/*
	 * What happened first has the lower number. A number is left out only if memory
	 * ran out (struct bpf_state).
	 */
	__u64 seq;
	__u64 ns; /* CLOCK_MONOTONIC */
	__u32 kind;
	__u32 pid, tid, parent_pid, parent_tid;
	__u32 missing; /* bit i: event i could not be read at some time */
	char name[BPF_NAME_SIZE];
	struct bpf_value val[BPF_MOST_PARTS]; /* the events in use; none of a birth */
};

/*
 * The arguments of a program, each with a NUL at its end: as many bytes as there is room
 * for. They follow the values of a record BPF_LIFE_EXEC.
 */
struct bpf_args {
	__u32 n;     /* bytes of text, of which the last may belong to no argument */
	__u32 count; /* arguments */
	char text[BPF_ARGS_SIZE];
};

/*
 * A value of the map of counted LWPs, whose keys are addresses of a task_struct. Room for
 * struct bpf_args follows the values.
 */
struct bpf_task {
	/* is raised when a change of what follows begins, and when it ends (copies.h) */
	__u64 changes;
	__u64 before_exec; /* 1: the command has not executed its program yet; or 0 */
	struct bpf_life life;
};

/* What the programs need to know; it does not change while they run. */
struct bpf_config {
	__u32 nparts, ncpus;
	__u32 size;	/* bytes of a struct bpf_life with nparts values */
	__u32 switches; /* bit i: event i is the switches of contexts */
	__u32 holder;	/* the process whose children are counted from their exec on */
	__u32 follow_fork, follow_exec;
	/* offsets in bytes, which differ from kernel to kernel */
	__u32 task_pid;	   /* thread_pid in task_struct */
	__u32 pid_level;   /* level in pid */
	__u32 pid_numbers; /* numbers in pid */
	__u32 number_ns;   /* ns in upid, whose nr comes first */
	__u32 number_size; /* of upid */
	__u32 exec_stack;  /* p in linux_binprm: the stack of the new program */
	__u32 exec_end;	   /* exec in linux_binprm: what is above the arguments */
};

/* The counters of a CPU, and what all LWPs have counted there. */
struct bpf_cpu {
	/* is raised when a change of the sums begins, and when it ends (copies.h) */
	__u64 changes;
	__u32 lacks;   /* bit i: this CPU cannot count event i, so that its count is 0 */
	__u32 missing; /* bit i: event i could not be read at some time */
	__u64 came_back; /* all bits: the CPU has come online during the run; or 0 */
	__u64 here;	 /* the address of the LWP that has come last, or 0 */
	__u64 busy;	 /* a program changes what belongs to the LWP on this CPU */
	struct {
		struct bpf_value last; /* when the counter was read last */
		struct bpf_value sum;  /* of all LWPs */
	} part[BPF_MOST_PARTS];
};

/* What the programs remember. */
struct bpf_state {
	__u64 seq;	 /* of the next record */
	__u64 level, ns; /* of the reader's namespace of pids: its depth, its address */
	__u64 spilled;	 /* records that the ring had no room for */
	__u64 lost;	 /* records for which no memory was available */
	__u64 uncounted; /* LWPs for which no memory was available */
	__u64 unseen;	 /* times that a counted LWP was on a CPU, and how is not known */
};

#endif
