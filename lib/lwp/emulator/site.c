#include "lwp/emulator/site.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	BUCKETS = 4096,
	ARENA_SIZE = 1 << 16,
	ARENA_STEP = 1 << 24, /* between addresses that are tried for an arena */
	JUMP_SIZE = 5,
	CODE_SIZE = 64 /* at most, of a trampoline */
};

/* A jump reaches as far, less the size of an arena. */
static const int64_t reach = (INT64_C(1) << 31) - ARENA_SIZE;

/* Memory near the sites, for sites and trampolines. */
struct arena {
	struct arena *next;
	void (*entry)(void);
	uint64_t used; /* bytes, this struct included */
};

static struct arena *arenas;
static struct site *bucket[BUCKETS];
/* The process that patches a site, or 0. In a child of fork(2) this is its parent. */
static pid_t patching;

static unsigned bucket_of(uint64_t ip)
{
	return (unsigned)((ip * UINT64_C(0x9e3779b97f4a7c15)) >> 52);
}

struct site *site_find(uint64_t ip)
{
	struct site *s = __atomic_load_n(&bucket[bucket_of(ip)], __ATOMIC_ACQUIRE);

	while (s && s->ip != ip)
		s = s->next;
	return s;
}

static int reaches(const void *p, uint64_t ip)
{
	const int64_t distance = (int64_t)((uintptr_t)p - ip);

	return distance > -reach && distance < reach;
}

/* Maps memory at an address that a jump from ip reaches, or returns NULL. */
static void *map_near(uint64_t ip)
{
	for (int64_t d = ARENA_STEP; d < reach; d += ARENA_STEP)
		for (int sign = -1; sign <= 1; sign += 2) {
			const uint64_t at =
				(ip + (uint64_t)(sign * d)) & ~UINT64_C(0xfff);
			void *const p = mmap(
				(void *)(uintptr_t)at, ARENA_SIZE,
				PROT_READ | PROT_WRITE | PROT_EXEC,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

			if (p == MAP_FAILED && errno != EEXIST && errno != EINVAL &&
			    errno != ENOMEM && errno != EPERM)
				return NULL;
			if (p != MAP_FAILED && reaches(p, ip))
				return p;
			if (p != MAP_FAILED) /* a kernel before 4.17 takes a hint */
				munmap(p, ARENA_SIZE);
		}
	return NULL;
}

static struct arena *arena_near(uint64_t ip, size_t size)
{
	for (struct arena *a = arenas; a; a = a->next)
		if (reaches(a, ip) && a->used + size <= ARENA_SIZE)
			return a;
	struct arena *a = map_near(ip);
	if (!a)
		return NULL;
	*a = (struct arena){arenas, fast_entry, sizeof *a};
	arenas = a;
	return a;
}

static uint8_t *put(uint8_t *p, const void *bytes, size_t n)
{
	memcpy(p, bytes, n);
	return p + n;
}

/* Puts the last four bytes of an instruction, the distance of target from its end. */
static uint8_t *put_relative(uint8_t *p, uint64_t target)
{
	const uint32_t distance = (uint32_t)(target - ((uintptr_t)p + 4));

	return put(p, &distance, sizeof distance);
}

/* Writes the trampoline of a site to p (fast.c has the code between its two parts). */
static void write_trampoline(uint8_t *p, struct site *s, const struct arena *a)
{
	p = put(p, "\x48\x8d\x64\x24\x80", 5); /* lea -128(%rsp), %rsp */
	p = put(p, "\x57", 1);		       /* push %rdi */
	p = put(p, "\x48\x8d\x3d", 3);	       /* lea s(%rip), %rdi */
	p = put_relative(p, (uintptr_t)s);
	p = put(p, "\xff\x25", 2); /* jmp *entry(%rip) */
	p = put_relative(p, (uintptr_t)&a->entry);
	s->resume = (uintptr_t)p;
	p = put(p, "\xf3\x0f\x1e\xfa", 4);	     /* endbr64 */
	p = put(p, "\x48\x8d\x64\x24\x08", 5);	     /* lea 8(%rsp), %rsp */
	p = put(p, "\x5f", 1);			     /* pop %rdi */
	p = put(p, "\x48\x8d\xa4\x24\x80\0\0\0", 8); /* lea 128(%rsp), %rsp */
	p = put(p, "\xe9", 1);			     /* jmp, behind the instruction */
	put_relative(p, s->ip + s->instruction.length);
}

/* Waits until no thread executes instructions that it has fetched before. */
static int synchronize(void)
{
	const int sync = MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE;

	if (syscall(SYS_membarrier, sync, 0, 0) == 0)
		return 0;
	if (errno != EPERM ||
	    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE,
		    0, 0) == -1)
		return -1;
	return syscall(SYS_membarrier, sync, 0, 0) == 0 ? 0 : -1;
}

static int write_code(int mem, uint64_t ip, const void *p, size_t n)
{
	return pwrite(mem, p, n, (off_t)ip) == (ssize_t)n ? 0 : -1;
}

/*
 * Writes a jump over an instruction. Threads that come meanwhile are trapped by the
 * guard, which is one byte and thus written at once, wherever it lies.
 */
static int write_jump(int mem, uint64_t ip, const uint8_t *jump)
{
	static const uint8_t guard = SITE_GUARD;

	if (synchronize() == -1 || write_code(mem, ip, &guard, 1) == -1 ||
	    synchronize() == -1)
		return -1;
	if (write_code(mem, ip + 1, jump + 1, JUMP_SIZE - 1) == -1 ||
	    synchronize() == -1 || write_code(mem, ip, jump, 1) == -1)
		return -1;
	return synchronize();
}

/* Returns a new site with its trampoline at *code, or NULL. */
static struct site *make_site(uint64_t ip, const lwp_instruction_t *i, uint8_t **code)
{
	struct arena *const a = arena_near(ip, sizeof(struct site) + CODE_SIZE);

	if (!a)
		return NULL;
	struct site *const s = (void *)((uint8_t *)a + a->used);
	*code = (uint8_t *)(s + 1);
	*s = (struct site){.ip = ip, .instruction = *i};
	write_trampoline(*code, s, a);
	a->used += (sizeof *s + CODE_SIZE + 15) / 16 * 16;
	return s;
}

static void add_site(struct site *s)
{
	struct site **const head = &bucket[bucket_of(s->ip)];

	s->next = *head;
	__atomic_store_n(head, s, __ATOMIC_RELEASE);
}

static void patch(uint64_t ip, const lwp_instruction_t *i)
{
	/* /proc/self/mem writes to pages that the program itself may only read. */
	const int mem = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
	uint8_t jump[JUMP_SIZE] = {SITE_JUMP}, *code;

	if (mem == -1)
		return;
	struct site *const s = make_site(ip, i, &code);
	if (s) {
		const uint32_t distance = (uint32_t)((uintptr_t)code - (ip + JUMP_SIZE));

		memcpy(jump + 1, &distance, sizeof distance);
		add_site(s);
		write_jump(mem, ip, jump);
	}
	close(mem);
}

/* LLWPCB is left to the trap, and so is what the trampoline cannot do. */
static int can_patch(const lwp_instruction_t *i)
{
	enum { RSP = 4 };

	if (i->op == LWP_OP_LLWPCB || (i->op == LWP_OP_SLWPCB && i->reg == RSP))
		return 0;
	return !i->memory || (i->segment != 0x64 && i->segment != 0x65) ||
	       fast_reads_bases();
}

void site_patch(uint64_t ip, const lwp_instruction_t *i)
{
	const pid_t self = getpid();
	pid_t owner = 0;

	/* The thread that patches in the parent does not exist in a child. */
	if (!can_patch(i) || site_find(ip) ||
	    (!__atomic_compare_exchange_n(&patching, &owner, self, 0, __ATOMIC_ACQUIRE,
					  __ATOMIC_RELAXED) &&
	     (owner == self ||
	      !__atomic_compare_exchange_n(&patching, &owner, self, 0, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED))))
		return;
	patch(ip, i);
	__atomic_store_n(&patching, 0, __ATOMIC_RELEASE);
}
