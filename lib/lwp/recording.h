/*
 * A recording: what is known of the LWP records of one process image. It is read from,
 * and written as, an ELF core file, so that debuggers can open it, and cores of the
 * kernel and of gcore(1) are recordings too.
 *
 * The file has PT_LOAD segments of the LWPCBs and rings at their addresses and of the
 * first page of each mapped ELF file (for its build id), and notes: NT_PRSTATUS of each
 * thread, NT_PRPSINFO, NT_FILE, NT_X86_XSTATE where LWP state is known, and notes of
 * owner "OpenCPC": one holds lines "key=value" (facts, events, threads, rings), others
 * exact counts. opencpc-recording(5) describes the file.
 */
#ifndef LWP_RECORDING_H
#define LWP_RECORDING_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <lwp.h>

/* A mapping of a file, or of anonymous memory (path NULL), as in /proc/PID/maps. */
struct recording_mapping {
	uint64_t start, end;
	uint64_t offset; /* in the file, in bytes */
	const char *path;
	const uint8_t *build_id; /* NULL: not known */
	size_t build_id_size;	 /* at most 64 */
	/* The first bytes of an ELF file, where the mapping begins with them; or NULL. */
	const uint8_t *head;
	size_t head_size;
};

struct recording_thread {
	pid_t tid;
	const char *name; /* or NULL */
};

/* A ring with its control block, as they were when the recording was made. */
struct recording_ring {
	pid_t tid;     /* of the thread that used the ring; 0: not known */
	uint64_t cb;   /* address of the LWPCB; 0: not in the memory of the process */
	uint64_t base; /* address of the ring; 0: not in the memory of the process */
	/* The bytes of the LWPCB and of the ring, which may be cut short. */
	const uint8_t *block, *bytes;
	size_t block_size, size;
	/*
	 * The 128 bytes of LWP state that XSAVE stored when the thread was stopped, which
	 * is newer than the LWPCB; or NULL.
	 */
	const uint8_t *state;
};

#define RECORDING_STATE_SIZE 128

/* An event that was recorded or counted, and where its records come from. */
struct recording_event {
	uint8_t id;	    /* LWP_EVENT_*, or 0: the event is counted, not recorded */
	const char *name;   /* "dme", or the name of a counter of the model */
	const char *source; /* "simulated r10000", "perf cpu-clock", "emulated", ... */
	uint64_t interval;  /* one record stands for this many events; 0: not constant */
	uint64_t events;    /* how many events there were; UINT64_MAX: not known */
};

/* Exact counts of an event at a program counter. */
struct recording_count {
	uint64_t ip;
	uint32_t event; /* index in events */
	uint64_t count;
};

struct recording {
	pid_t pid;
	const char *command;   /* the words, joined by blanks; or NULL */
	const char *program;   /* path of the executable; or NULL */
	uint64_t unix_ns;      /* when recording began, in ns since 1970; 0: not known */
	uint32_t event_offset; /* LwpEventOffset */
	uint32_t event_size;   /* LwpEventSize */
	uint32_t cpuid[4];     /* EAX, EBX, ECX, EDX of CPUID 8000_001C; 0s: not known */
	/* Bytes of a line of the data cache whose misses were recorded; 0: not known. */
	uint32_t line_size;
	const char *clock;   /* of the records' timestamps, or NULL */
	const uint8_t *auxv; /* the auxiliary vector (getauxval(3)), or NULL */
	size_t auxv_size;
	int is_own; /* 1: lwprec record made the file */

	struct recording_mapping *mapping; /* in ascending order of start */
	size_t nmapping;
	struct recording_thread *thread;
	size_t nthread;
	struct recording_ring *ring;
	size_t nring;
	struct recording_event *event;
	size_t nevent;
	struct recording_count *count; /* in ascending order of event, then ip */
	size_t ncount;

	void *owner; /* private memory of recording_read() */
};

/*
 * Read the core file of size bytes at file into *r, whose pointers then point into file
 * or into memory that recording_free() releases; file must live as long. Rings are found
 * through our own note, the LWP state of NT_X86_XSTATE, and cb: the addresses of ncb
 * LWPCBs. Returns 0; or -1 with errno (ENOEXEC: not an ELF core of x86-64; EINVAL:
 * damaged; ENOENT: the core does not have the memory at one of cb; ENOMEM) and a
 * sentence in why, which has room for n bytes.
 */
int recording_read(struct recording *r, const void *file, size_t size, const uint64_t *cb,
		   size_t ncb, char *why, size_t n);

/*
 * Fill *r with what is known of a process that is running or stopped: pid, command,
 * program, mappings with build ids, and threads. recording_free() frees *r; the caller
 * may change members that are not arrays, and the arrays that are empty here. Returns 0,
 * or -1 with errno of open(2) or read(2) or ENOMEM.
 */
int recording_of_process(struct recording *r, pid_t pid);

/*
 * Add a mapping, which replaces what it overlaps, at its place in the order. r->mapping
 * is the caller's and has room for two more.
 */
void recording_map(struct recording *r, const struct recording_mapping *m);

/*
 * Set the first bytes of a mapping and its build id, if the size bytes at p, which live
 * as long as the mapping, are those of an ELF file.
 */
void recording_set_head(struct recording_mapping *m, const uint8_t *p, size_t size);

/*
 * Add the rings of LWPCBs in the memory of the process that recording_of_process()
 * described: copies, of the records that were not read when the copy was complete.
 * Returns 0, or -1 with errno (ENOENT: there is no such memory; EPERM; ENOMEM) and a
 * sentence in why, which has room for n bytes.
 */
int recording_copy_rings(struct recording *r, const uint64_t *cb, size_t ncb, char *why,
			 size_t n);

/* Set what LWP could do on the processor: CPUID where known, or version 1 with all. */
void recording_features(const struct recording *r, lwp_features_t *f);

/* The records of a ring. */
struct recording_view {
	lwp_block_t block; /* all 0 if the LWPCB is not known */
	lwp_state_t state; /* all 0 if the state of XSAVE is not known */
	lwp_ring_t ring;   /* its head is that of the state, if there is one */
	unsigned problems; /* LWP_BAD_* of the LWPCB and of the ring */
};

/*
 * Find the records of a ring of *r. Returns 0; or -1 with EINVAL if it cannot have any:
 * neither LWPCB nor state is known, or the ring is smaller than a record. v->problems is
 * set in both cases.
 */
int recording_view(const struct recording *r, const struct recording_ring *ring,
		   struct recording_view *v);

/*
 * Free what recording_read() or recording_of_process() allocated, and make *r all zeros.
 */
void recording_free(struct recording *r);

/*
 * Write *r as a core file to fd, from its current position. Returns 0, or -1 with errno
 * of write(2) or ENOMEM. Rings may overlap in memory: one may have been freed before the
 * other was used.
 */
int recording_write(int fd, const struct recording *r);

#endif
