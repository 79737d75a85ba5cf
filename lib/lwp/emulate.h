/*
 * Emulation of the LWP instructions (sections 1.1, 4 and 6 of the specification) of one
 * thread in 64-bit mode. Of the events, a processor of this kind has only LWPVAL; it has
 * LWPINS, the filter of addresses, random intervals and threshold interrupts. CoreId is
 * 0. Only reads and writes of the thread's memory can fault, and then the instruction has
 * changed nothing that a second attempt would change again.
 *
 * Where the specification leaves a choice: the memory copy of BufferHeadOffset is written
 * with each record, EventCounter1 when LLWPCB or SLWPCB flush; and random bits are the
 * low bits of xorshift64 (13, 7, 17) whose seed LLWPCB sets to 0x9e3779b97f4a7c15.
 */
#ifndef LWP_EMULATE_H
#define LWP_EMULATE_H

#include <lwp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

/* What the emulated processor can do. */
extern const lwp_features_t emulate_features;

/* Offsets of the interval and the counter of LWPVAL in the LWPCB, and its size. */
enum {
	EMULATE_INTERVAL = LWP_BLOCK_INTERVAL(LWP_EVENT_OFFSET, LWP_EVENT_VAL),
	EMULATE_COUNTER = LWP_BLOCK_COUNTER(LWP_EVENT_OFFSET, LWP_EVENT_VAL),
	EMULATE_BLOCK_SIZE = LWP_EVENT_OFFSET + 8 * LWP_MAX_EVENTS
};

/*
 * The LWP state of a thread, all zeros when the thread begins. The trampolines
 * (lib/lwp/emulator) know the offsets of the first members.
 */
struct emulate_state {
	uint64_t cb;   /* LWP_CBADDR; 0: LWP is not enabled */
	uint64_t base; /* of the ring */
	uint32_t size; /* of the ring, a multiple of LWP_EVENT_SIZE */
	uint32_t head; /* offset of the next record */
	void *rseq;    /* struct rseq of the thread, only for trampolines */
	uint32_t flags, filters;
	uint64_t base_ip, limit_ip;
	uint32_t threshold;	   /* a multiple of LWP_EVENT_SIZE */
	uint32_t random;	   /* how many low bits of an interval are random */
	int32_t interval, counter; /* of LWPVAL */
	uint64_t seed;
	/* What the thread has executed while the event was enabled, to report. */
	uint64_t values, markers;
	uint64_t last_cb, last_base; /* of the last LLWPCB that enabled LWP */
};

/* The registers of a thread that an LWP instruction reads or writes. */
struct emulate_registers {
	uint64_t reg[16]; /* in the order of their encoding */
	uint64_t ip;
	uint64_t flags;
	uint64_t fs_base, gs_base;
};

/* Why an instruction could not be executed, as for a signal handler. */
struct emulate_fault {
	int code;	  /* SI_KERNEL (general protection), SEGV_MAPERR or SEGV_ACCERR */
	uint64_t address; /* 0 for SI_KERNEL */
};

/*
 * Execute an instruction that lwp_instruction_decode() has read at r->ip, in a thread of
 * process pid, which may be the caller. Returns 0, and r->ip is the next instruction; 1
 * if also a threshold interrupt is due; or -1 with *fault: the thread gets SIGSEGV, with
 * its registers unchanged.
 */
int emulate(struct emulate_state *s, pid_t pid, const lwp_instruction_t *i,
	    struct emulate_registers *r, struct emulate_fault *fault);

/*
 * Read up to size bytes at an address of process pid, up to the end of the memory that
 * can be read. Returns their number.
 */
size_t emulate_read(pid_t pid, uint64_t address, void *p, size_t size);

/* Is the LWPVAL instruction at ip counted (section 6, filters)? */
static inline int emulate_counts(const struct emulate_state *s, uint64_t ip)
{
	if (!(s->flags & LWP_FLAG(LWP_EVENT_VAL)))
		return 0;
	if (!(s->filters & LWP_FILTER_IPF))
		return 1;
	return (ip >= s->base_ip && ip <= s->limit_ip) == !(s->filters & LWP_FILTER_IPI);
}

/* The counter after a record that was stored at counter -1 or, after an overrun, less. */
static inline int32_t emulate_reset(struct emulate_state *s, int32_t counter)
{
	const uint32_t mask = (UINT32_C(1) << s->random) - 1;

	if (mask) {
		s->seed ^= s->seed << 13;
		s->seed ^= s->seed >> 7;
		s->seed ^= s->seed << 17;
	}
	return (int32_t)(((uint32_t)s->interval & ~mask) | ((uint32_t)s->seed & mask)) +
	       counter + 1;
}

/* Does a ring with this tail reach the threshold of interrupts? */
static inline int emulate_interrupts(const struct emulate_state *s, uint32_t tail)
{
	const uint32_t used = s->head - tail + (s->head < tail ? s->size : 0);

	return s->flags & LWP_FLAG_INT && used >= s->threshold;
}

#endif
