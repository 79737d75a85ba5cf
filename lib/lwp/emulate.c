#include "lwp/emulate.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

const lwp_features_t emulate_features = {
	.has_lwp = 1,
	.has_xsave = 1,
	.enabled = 1,
	.version = 1,
	.available = LWP_FLAG(LWP_EVENT_VAL) | LWP_FLAG_INT,
	.supported = LWP_FLAG(LWP_EVENT_VAL) | LWP_FLAG_INT,
	.block_size = EMULATE_BLOCK_SIZE,
	.event_size = LWP_EVENT_SIZE,
	.max_events = LWP_MAX_EVENTS,
	.event_offset = LWP_EVENT_OFFSET,
	.min_buffer = 1,
	.has_ip_filtering = 1,
	.area_size = LWP_STATE_SIZE,
	.area_offset = LWP_STATE_OFFSET,
};

/* Addresses from here on are not those of programs; the kernel's begin with 16 ones. */
static const uint64_t canonical_end = UINT64_C(1) << 47;
enum { PAGE = 4096 };

/*
 * Copies the part of [address, address + size) before a page boundary. Returns whether
 * all of it was copied.
 */
static int copy_piece(pid_t pid, uint64_t address, void *p, size_t size, int write)
{
	const struct iovec own = {p, size}, other = {(void *)(uintptr_t)address, size};
	const ssize_t n = write ? process_vm_writev(pid, &own, 1, &other, 1, 0)
				: process_vm_readv(pid, &own, 1, &other, 1, 0);

	if (n == -1 && errno != EFAULT && pid == getpid()) {
		/* The system call is not allowed here. */
		memcpy(write ? other.iov_base : p, write ? p : other.iov_base, size);
		return 1;
	}
	return n == (ssize_t)size;
}

static size_t copy(pid_t pid, uint64_t address, void *p, size_t size, int write)
{
	size_t done = 0;

	while (done < size) {
		size_t n = PAGE - (address + done) % PAGE;

		n = n < size - done ? n : size - done;
		if (!copy_piece(pid, address + done, (char *)p + done, n, write))
			break;
		done += n;
	}
	return done;
}

size_t emulate_read(pid_t pid, uint64_t address, void *p, size_t size)
{
	return copy(pid, address, p, size, 0);
}

/* Fills *f for an access that failed at an address. Returns -1. */
static int fault_at(struct emulate_fault *f, pid_t pid, uint64_t address)
{
	unsigned char resident;
	const int mapped =
		pid == getpid() &&
		mincore((void *)(uintptr_t)(address / PAGE * PAGE), 1, &resident) == 0;

	*f = (struct emulate_fault){mapped ? SEGV_ACCERR : SEGV_MAPERR, address};
	return -1;
}

static int general_protection(struct emulate_fault *f)
{
	*f = (struct emulate_fault){.code = SI_KERNEL};
	return -1;
}

/* Is the whole of [address, address + size) below the end of a program's addresses? */
static int is_canonical(uint64_t address, uint64_t size)
{
	return address < canonical_end && size <= canonical_end - address;
}

static int load(pid_t pid, uint64_t address, void *p, size_t size,
		struct emulate_fault *f)
{
	if (!is_canonical(address, size))
		return general_protection(f);
	const size_t n = copy(pid, address, p, size, 0);
	return n == size ? 0 : fault_at(f, pid, address + n);
}

static int store(pid_t pid, uint64_t address, const void *p, size_t size,
		 struct emulate_fault *f)
{
	union {
		const void *from;
		void *to;
	} bytes = {p};
	const size_t n = copy(pid, address, bytes.to, size, 1);

	return n == size ? 0 : fault_at(f, pid, address + n);
}

/* Writes head and counter, which may be older in the LWPCB (SLWPCB, section 5.2). */
static int flush(const struct emulate_state *s, pid_t pid, struct emulate_fault *f)
{
	const uint32_t counter = (uint32_t)s->counter & 0x3ffffff;

	if (!s->cb)
		return 0;
	if (store(pid, s->cb + LWP_BLOCK_HEAD, &s->head, sizeof s->head, f) == -1)
		return -1;
	if (!(s->flags & LWP_FLAG(LWP_EVENT_VAL)))
		return 0;
	return store(pid, s->cb + EMULATE_COUNTER, &counter, sizeof counter, f);
}

/* Sets all but cb, for an LWPCB that is in force. */
static void take_block(struct emulate_state *s, const lwp_block_t *b)
{
	s->base = b->buffer_base;
	s->size = b->buffer_size;
	s->head = b->head;
	s->flags = b->flags;
	s->filters = b->filters;
	s->base_ip = b->base_ip;
	s->limit_ip = b->limit_ip;
	s->threshold = b->threshold;
	s->random = b->random;
	s->interval = b->interval[LWP_EVENT_VAL];
	s->counter = b->counter[LWP_EVENT_VAL];
	s->seed = UINT64_C(0x9e3779b97f4a7c15);
}

/* Writes the flags and the interval that are in force (LLWPCB, steps 6 and 7). */
static int write_back(const struct emulate_state *s, pid_t pid, uint64_t cb,
		      struct emulate_fault *f)
{
	const uint32_t interval = (uint32_t)s->interval;

	if (store(pid, cb + LWP_BLOCK_FLAGS, &s->flags, sizeof s->flags, f) == -1)
		return -1;
	if (!(s->flags & LWP_FLAG(LWP_EVENT_VAL)))
		return 0;
	return store(pid, cb + EMULATE_INTERVAL, &interval, sizeof interval, f);
}

/* LLWPCB, section 5.1. */
static int llwpcb(struct emulate_state *s, pid_t pid, uint64_t cb,
		  struct emulate_fault *f)
{
	uint8_t bytes[EMULATE_COUNTER + 4] = "";
	lwp_block_t block;

	if (flush(s, pid, f) == -1)
		return -1;
	s->cb = 0;
	if (!cb)
		return 0;
	if (!is_canonical(cb, EMULATE_BLOCK_SIZE))
		return general_protection(f);
	/* The bytes in between are not read; they need not be accessible. */
	if (load(pid, cb, bytes, LWP_BLOCK_SOFTWARE, f) == -1 ||
	    load(pid, cb + EMULATE_INTERVAL, bytes + EMULATE_INTERVAL, 8, f) == -1)
		return -1;
	if (lwp_block_decode(&block, bytes, sizeof bytes, &emulate_features) == -1 ||
	    lwp_block_start(&block, &emulate_features, 0) == -1 ||
	    !is_canonical(block.buffer_base, block.buffer_size))
		return general_protection(f);
	take_block(s, &block);
	if (write_back(s, pid, cb, f) == -1)
		return -1;
	s->cb = s->last_cb = cb;
	s->last_base = s->base;
	return 0;
}

/*
 * Stores a record (section 1.1). Returns -1 with *f; else 0, and *full is 1 if the event
 * was missed, and *tail is BufferTailOffset.
 */
static int store_record(struct emulate_state *s, pid_t pid, const lwp_record_t *r,
			int *full, uint32_t *tail, struct emulate_fault *f)
{
	const uint32_t next =
		s->head + LWP_EVENT_SIZE < s->size ? s->head + LWP_EVENT_SIZE : 0;
	uint8_t bytes[LWP_EVENT_SIZE];
	uint64_t missed;

	lwp_record_encode(bytes, r);
	if (store(pid, s->base + s->head, bytes, sizeof bytes, f) == -1 ||
	    load(pid, s->cb + LWP_BLOCK_TAIL, tail, sizeof *tail, f) == -1)
		return -1;
	*full = next == *tail;
	if (!*full) {
		if (store(pid, s->cb + LWP_BLOCK_HEAD, &next, sizeof next, f) == -1)
			return -1;
		s->head = next;
		return 0;
	}
	if (load(pid, s->cb + LWP_BLOCK_MISSED, &missed, sizeof missed, f) == -1)
		return -1;
	missed++;
	return store(pid, s->cb + LWP_BLOCK_MISSED, &missed, sizeof missed, f);
}

/* Stores the record of an LWPINS or LWPVAL. Returns as emulate() does. */
static int record_operands(struct emulate_state *s, pid_t pid, const lwp_instruction_t *i,
			   const struct emulate_registers *r, int *full,
			   struct emulate_fault *f)
{
	uint32_t data1 = (uint32_t)r->reg[i->rm & 15], tail;

	if (i->memory) {
		const uint64_t segment = i->segment == 0x64   ? r->fs_base
					 : i->segment == 0x65 ? r->gs_base
							      : 0;
		const uint64_t address =
			lwp_instruction_address(i, r->reg, r->ip, segment);

		if (load(pid, address, &data1, sizeof data1, f) == -1)
			return -1;
	}
	const uint64_t value = r->reg[i->reg];
	const lwp_record_t record = {
		.id = i->op == LWP_OP_LWPINS ? LWP_EVENT_INS : LWP_EVENT_VAL,
		.flags = (uint16_t)i->immediate,
		.data1 = data1,
		.ip = r->ip,
		.data2 = i->wide ? value : (uint32_t)value,
	};
	if (store_record(s, pid, &record, full, &tail, f) == -1)
		return -1;
	return !*full && emulate_interrupts(s, tail);
}

/* LWPVAL, section 5.3. */
static int lwpval(struct emulate_state *s, pid_t pid, const lwp_instruction_t *i,
		  const struct emulate_registers *r, struct emulate_fault *f)
{
	int full, interrupt = 0;

	if (!s->cb || !emulate_counts(s, r->ip))
		return 0;
	if (s->counter > 0) {
		s->counter--;
	} else {
		interrupt = record_operands(s, pid, i, r, &full, f);
		if (interrupt == -1)
			return -1;
		s->counter = emulate_reset(s, s->counter - 1);
	}
	s->values++;
	return interrupt;
}

/* LWPINS, section 5.4. */
static int lwpins(struct emulate_state *s, pid_t pid, const lwp_instruction_t *i,
		  struct emulate_registers *r, struct emulate_fault *f)
{
	int full = 0, interrupt = 0;

	if (s->cb) {
		interrupt = record_operands(s, pid, i, r, &full, f);
		if (interrupt == -1)
			return -1;
		s->markers++;
	}
	r->flags = (r->flags & ~UINT64_C(1)) | (uint64_t)full;
	return interrupt;
}

int emulate(struct emulate_state *s, pid_t pid, const lwp_instruction_t *i,
	    struct emulate_registers *r, struct emulate_fault *fault)
{
	int result = -1;

	switch (i->op) {
	case LWP_OP_LLWPCB:
		result = llwpcb(s, pid,
				i->wide ? r->reg[i->reg] : (uint32_t)r->reg[i->reg],
				fault);
		break;
	case LWP_OP_SLWPCB:
		result = flush(s, pid, fault);
		if (result == 0)
			r->reg[i->reg] = i->wide ? s->cb : (uint32_t)s->cb;
		break;
	case LWP_OP_LWPINS:
		result = lwpins(s, pid, i, r, fault);
		break;
	case LWP_OP_LWPVAL:
		result = lwpval(s, pid, i, r, fault);
		break;
	}
	if (result >= 0)
		r->ip += i->length;
	return result;
}
