/*
 * lwp_rules CASE: execute LWP instructions where programs and threads begin, end, fail
 * and get signals. Prints "ok", or what is wrong.
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <x86intrin.h>

#define BARRIER() __asm__ volatile("" : : : "memory")

enum { RECORD = 32, SLOTS = 4096 };

struct ring {
	uint32_t flags, size;
	uint64_t base;
	uint32_t head, reserved1;
	uint64_t missed;
	uint32_t threshold, filters;
	uint64_t base_ip, limit_ip, reserved2;
	uint32_t tail, reserved3;
	uint64_t software[2], reserved4[5];
	struct {
		uint32_t interval, counter;
	} event[6];
	uint8_t slot[SLOTS][RECORD];
} __attribute__((aligned(64)));

static struct ring ring;

static void check(int ok, const char *what)
{
	if (ok)
		return;
	printf("wrong: %s\n", what);
	fflush(stdout);
	_exit(1);
}

static void load(struct ring *r)
{
	BARRIER();
	__llwpcb(r);
	BARRIER();
}

static void enable(struct ring *r, uint32_t slots)
{
	r->flags = 2;
	r->size = slots * RECORD;
	r->base = (uint64_t)(uintptr_t)r->slot;
	load(r);
}

static struct ring *query(void)
{
	BARRIER();
	struct ring *r = __slwpcb();
	BARRIER();
	return r;
}

static int mark(uint64_t data2, uint32_t data1)
{
	BARRIER();
	const int carry = __lwpins64(data2, data1, 5);
	BARRIER();
	return carry;
}

static uint64_t data2_of(const struct ring *r, uint32_t slot)
{
	uint64_t v;

	memcpy(&v, r->slot[slot] + 16, sizeof v);
	return v;
}

static volatile sig_atomic_t caught, caught_code;
static void *volatile caught_address;
static volatile uint64_t caught_ip;

static void on_illegal(int sig, siginfo_t *info, void *context)
{
	ucontext_t *u = context;

	(void)sig;
	caught++;
	caught_code = info->si_code;
	if (info->si_code > 0)
		u->uc_mcontext.gregs[REG_RIP] += 2; /* UD2 */
	if (!getenv("LWP_RULES_OUTSIDE"))
		mark(77, 1);
}

static void undefined(void)
{
	__asm__ volatile("ud2");
}

static void catch (int sig, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction a = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};

	sigfillset(&a.sa_mask);
	check(sigaction(sig, &a, NULL) == 0, "sigaction");
}

/*
 * The program's own handler of SIGILL, which executes LWP instructions itself. A tracer
 * cannot emulate these, as the kernel drops the handler of a signal that is blocked.
 */
static void case_handler(void)
{
	const int outside = getenv("LWP_RULES_OUTSIDE") != NULL;
	struct sigaction before;

	catch (SIGILL, on_illegal, 0);
	enable(&ring, SLOTS);
	for (int i = 0; i < 3; i++) {
		mark(1, 2);
		undefined();
		kill(getpid(), SIGILL);
	}
	query();
	check(caught == 6 && caught_code == SI_USER, "the handler was not called");
	check(ring.head == (outside ? 3 : 9) * RECORD, "records of the handler");
	check(data2_of(&ring, 0) == 1 && data2_of(&ring, 1) == (outside ? 1 : 77),
	      "order of records");
	sigaction(SIGILL, NULL, &before);
	check(before.sa_sigaction == on_illegal && before.sa_flags & SA_SIGINFO,
	      "the action that sigaction() returns");
	check(signal(SIGILL, SIG_IGN) != SIG_DFL, "the handler that signal() returns");
	kill(getpid(), SIGILL);
	if (!outside)
		mark(1, 2);
	check(caught == 6, "an ignored signal was caught");
	catch (SIGILL, on_illegal, (int)SA_RESETHAND);
	undefined();
	sigaction(SIGILL, NULL, &before);
	check(caught == 7 && before.sa_handler == SIG_DFL, "SA_RESETHAND");
	mark(1, 2);
}

/* Another bad instruction ends the program, as always. */
static void case_illegal(void)
{
	enable(&ring, SLOTS);
	mark(1, 2);
	puts("ok");
	fflush(stdout);
	undefined();
}

static void case_blocked(void)
{
	sigset_t all, now;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	enable(&ring, SLOTS);
	mark(1, 2);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	check(query() == &ring && ring.head == RECORD, "records with signals blocked");
	sigprocmask(SIG_BLOCK, NULL, &now);
	check(sigismember(&now, SIGSEGV) == 1, "the mask");
}

static void *check_off(void *arg)
{
	check(query() == NULL, "LWP is on in a new thread");
	check(mark(1, 2) == 0 && ((struct ring *)arg)->head == RECORD,
	      "a new thread stored a record");
	return NULL;
}

static void case_thread(void)
{
	pthread_t t;

	enable(&ring, SLOTS);
	mark(1, 2);
	check(pthread_create(&t, NULL, check_off, &ring) == 0, "pthread_create");
	pthread_join(t, NULL);
	mark(1, 2);
	check(query() == &ring && ring.head == 2 * RECORD, "records of the first thread");
}

static void case_fork(void)
{
	int status;

	enable(&ring, SLOTS);
	mark(1, 2);
	const pid_t child = fork();
	if (child == 0) {
		mark(3, 4);
		mark(3, 4);
		check(query() == &ring && ring.head == 3 * RECORD, "state of the child");
		exit(0);
	}
	check(waitpid(child, &status, 0) == child && status == 0, "the child");
	mark(5, 6);
	check(query() == &ring && ring.head == 2 * RECORD, "state of the parent");
	check(data2_of(&ring, 1) == 5, "the record of the parent");
}

static void case_off(void)
{
	check(query() == NULL && mark(1, 2) == 0, "LWP is on after exec");
}

/* The rings of a child are saved before its program is replaced, by each kind of exec. */
static void case_exec(void)
{
	char self[4096];
	const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	check(n > 0, "/proc/self/exe");
	self[n] = '\0';
	char *argv[] = {self, "off", NULL};
	enable(&ring, SLOTS);
	mark(1, 2);
	check(execl("/nosuch/program", "x", "y", NULL) == -1 && errno == ENOENT,
	      "execl of nothing");
	mark(1, 2);
	for (int i = 0; i < 5; i++) {
		const pid_t child = fork();
		int status;

		if (child == 0)
			mark(1, 2);
		if (child == 0 && i == 0)
			execv(self, argv);
		if (child == 0 && i == 1)
			execvp(self, argv);
		if (child == 0 && i == 2)
			execlp(self, self, "off", NULL);
		if (child == 0 && i == 3)
			execle(self, self, "off", NULL, environ);
		if (child == 0 && i == 4)
			execvpe(self, argv, environ);
		check(child > 0 && waitpid(child, &status, 0) == child && status == 0,
		      "exec of a child");
	}
	execve(self, argv, environ);
	check(0, "execve");
}

static uint8_t *page;
static size_t page_size;

/* Makes the memory accessible, so that the instruction can be executed again. */
static void on_fault(int sig, siginfo_t *info, void *context)
{
	const ucontext_t *u = context;

	(void)sig;
	caught++;
	caught_code = info->si_code;
	caught_address = info->si_addr;
	caught_ip = (uint64_t)u->uc_mcontext.gregs[REG_RIP];
	mprotect(page, page_size, PROT_READ | PROT_WRITE);
}

__attribute__((noinline)) static int mark_at(const uint32_t *p)
{
	BARRIER();
	const int carry = __lwpins32(9, *p, 6);
	BARRIER();
	return carry;
}

__attribute__((noinline)) static void sample_at(const uint32_t *p)
{
	BARRIER();
	__lwpval32(9, *p, 6);
	BARRIER();
}

static void check_fault(const void *address, void *function)
{
	const uint8_t *p = (const uint8_t *)(uintptr_t)caught_ip;

	check(caught == 1, "number of faults");
	check(caught_address == address && caught_code > 0, "the address of the fault");
	/* Without a tracer a fault in a trampoline has the trampoline's address. */
	if (getenv("LWP_RULES_TRACED"))
		check(p >= (uint8_t *)function && p < (uint8_t *)function + 64,
		      "the address of the instruction that faults");
	caught = 0;
	mprotect(page, page_size, PROT_NONE);
}

static void case_fault(void)
{
	uint32_t good = 42;

	page_size = (size_t)sysconf(_SC_PAGESIZE);
	page = mmap(NULL, page_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const uint32_t *bad = (uint32_t *)(page + 8);
	catch (SIGSEGV, on_fault, 0);
	ring.event[0].interval = ring.event[0].counter = 2;
	enable(&ring, SLOTS);
	/* The first time by a trap, the second by a trampoline. */
	for (int i = 0; i < 2; i++) {
		check(mark_at(bad) == 0, "carry flag after a fault");
		check_fault(bad, mark_at);
		mark_at(&good);
	}
	check(query() == &ring && ring.head == 4 * RECORD, "records after faults");
	/* LWPVAL reads memory only when it stores. */
	for (int i = 0; i < 2; i++) {
		sample_at(bad);
		sample_at(bad);
		check(caught == 0, "LWPVAL read memory though it stored nothing");
		sample_at(bad);
		check_fault(bad, sample_at);
	}
	query();
	check(ring.head == 6 * RECORD && ring.event[0].counter == 2,
	      "LWPVAL after faults");
}

static sigjmp_buf after;

static void on_protection(int sig, siginfo_t *info, void *context)
{
	on_fault(sig, info, context);
	siglongjmp(after, 1);
}

/* General protection has no address, and leaves LWP off. */
static void case_protection(void)
{
	page_size = (size_t)sysconf(_SC_PAGESIZE);
	page = mmap(NULL, page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	catch (SIGSEGV, on_protection, 0);
	enable(&ring, SLOTS);
	mark(1, 2);
	if (sigsetjmp(after, 1) == 0)
		load((struct ring *)UINT64_C(0x8000000000000));
	check(caught == 1 && caught_code == SI_KERNEL && !caught_address,
	      "general protection");
	check(query() == NULL && ring.head == RECORD, "LWP is on after a fault");
	caught = 0;
	ring.size = 31 * RECORD;
	if (sigsetjmp(after, 1) == 0)
		load(&ring);
	check(caught == 1 && caught_code == SI_KERNEL, "a ring that is too small");
	/* LLWPCB writes its flags, so that a page which can only be read faults. */
	caught = 0;
	if (sigsetjmp(after, 1) == 0)
		load((struct ring *)(page + 0));
	check(caught == 1 && query() == NULL, "an LWPCB that cannot be used");
}

static volatile uint32_t interrupt_heads;

static void on_interrupt(int sig)
{
	(void)sig;
	caught++;
	interrupt_heads = ring.head;
}

static void case_interrupt(void)
{
	ring.flags = 0x80000002;
	ring.size = 64 * RECORD;
	ring.base = (uint64_t)(uintptr_t)ring.slot;
	ring.threshold = 4 * RECORD;
	load(&ring);
	mark(1, 2);
	for (int i = 1; i < 6; i++)
		mark(1, 2);
	check(caught == 0, "a signal without a handler");
	ring.tail = ring.head;
	signal(SIGSTKFLT, on_interrupt);
	for (int i = 0; i < 3; i++)
		mark(1, 2);
	check(caught == 0, "an interrupt below the threshold");
	mark(1, 2);
	check(caught == 1 && interrupt_heads == 10 * RECORD, "no interrupt");
	mark(1, 2);
	check(caught == 2, "no interrupt above the threshold");
}

static void case_nofiles(void)
{
	const struct rlimit none = {0, 0};

	check(setrlimit(RLIMIT_NOFILE, &none) == 0, "setrlimit");
	enable(&ring, SLOTS);
	for (int i = 0; i < 100; i++)
		mark((uint64_t)i, 2);
	check(query() == &ring && ring.head == 100 * RECORD, "records without patches");
}

/* Signals at any time, whose handler stores records into the same ring. */
enum { HANDLED = 1000 };

static volatile uint64_t handled;
static timer_t timer;

/* A traced program may have its next signal before it executes another instruction. */
static void on_timer(int sig)
{
	static const struct itimerspec never;

	(void)sig;
	mark(UINT64_C(1) << 32 | handled, 0);
	if (++handled >= HANDLED)
		timer_settime(timer, 0, &never, NULL);
}

/* Records of the program and of the handler, each numbered in the order of its own. */
static struct {
	uint64_t own, other;
} seen;

/* Read what is there, as another thread would. Returns the number of records. */
static uint64_t read_ring(void)
{
	uint64_t n = 0;

	for (; ring.tail != ring.head; n++) {
		const uint64_t v = data2_of(&ring, ring.tail / RECORD);

		if (v >> 32)
			check((uint32_t)v == seen.other++, "a record of the handler");
		else
			check(v == seen.own++, "a record of the program");
		check(ring.slot[ring.tail / RECORD][0] == 255, "an empty record");
		BARRIER();
		ring.tail = (ring.tail + RECORD) % ring.size;
		BARRIER();
	}
	return n;
}

static void case_signals(void)
{
	const struct itimerspec often = {{0, 20000}, {0, 20000}};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
	uint64_t n = 0, slots = 0;

	signal(SIGUSR1, on_timer);
	enable(&ring, SLOTS);
	check(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0, "timer_create");
	timer_settime(timer, 0, &often, NULL);
	while (handled < HANDLED) {
		check(mark(n++, 0) == 0, "the ring is full");
		slots += read_ring();
	}
	slots += read_ring();
	timer_delete(timer);
	check(seen.own + seen.other == slots && ring.missed == 0,
	      "the number of records");
	check(seen.own == n && seen.other == HANDLED, "records were lost");
}

/* Many sites, which threads find and patch at the same time. */
#define SITE(n)                                                       \
	carry += __lwpins64((uint64_t)(n) | (round << 32), data1, 1); \
	BARRIER();
#define SITES4(n)    SITE(n) SITE(n + 1) SITE(n + 2) SITE(n + 3)
#define SITES16(n)   SITES4(n) SITES4(n + 4) SITES4(n + 8) SITES4(n + 12)
#define SITES64(n)   SITES16(n) SITES16(n + 16) SITES16(n + 32) SITES16(n + 48)
#define SITES_NUMBER 128

__attribute__((noinline)) static int sites(uint64_t round, uint32_t data1)
{
	int carry = 0;

	BARRIER();
	SITES64(0)
	SITES64(64)
	return carry;
}

enum { THREADS = 16, ROUNDS = 200 };

static pthread_barrier_t together;

static void *use_own_ring(void *arg)
{
	struct ring *r = arg;
	uint64_t events = 0, stored = 0, carries = 0;

	enable(r, 2 * SITES_NUMBER + (uint32_t)r->software[0] * 8);
	pthread_barrier_wait(&together);
	for (uint64_t round = 0; round < ROUNDS; round++) {
		carries += (uint64_t)sites(round, (uint32_t)r->software[0]);
		events += SITES_NUMBER;
		check(query() == r, "the ring of a thread");
		for (; r->tail != r->head; r->tail = (r->tail + RECORD) % r->size) {
			uint32_t thread;
			const uint64_t v = data2_of(r, r->tail / RECORD);

			memcpy(&thread, r->slot[r->tail / RECORD] + 4, sizeof thread);
			check(v == ((stored % SITES_NUMBER) | stored / SITES_NUMBER
								      << 32),
			      "the order of records");
			check(thread == r->software[0], "the thread of a record");
			stored++;
		}
	}
	/* The ring is full at the end. */
	for (uint64_t i = 0; i < 3 * SITES_NUMBER + r->software[0] * 8; i++, events++)
		carries += (uint64_t)mark(i, 0);
	query();
	stored += (r->head + r->size - r->tail) % r->size / RECORD;
	check(r->missed > 0 && carries == r->missed, "missed records");
	check(stored + r->missed == events, "stored and missed records");
	return NULL;
}

static void case_threads(void)
{
	static struct ring rings[THREADS];
	pthread_t t[THREADS];

	pthread_barrier_init(&together, NULL, THREADS);
	for (int i = 0; i < THREADS; i++) {
		rings[i].software[0] = (uint64_t)i;
		check(pthread_create(&t[i], NULL, use_own_ring, &rings[i]) == 0,
		      "pthread_create");
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
}

/* The ring is freed after its use. */
static void case_freed(void)
{
	struct ring *r = mmap(NULL, sizeof *r, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	enable(r, SLOTS);
	for (int i = 0; i < 7; i++)
		mark((uint64_t)i, 2);
	load(NULL);
	check(r->head == 7 * RECORD, "the flush of LLWPCB");
	munmap(r, sizeof *r);
}

/* Uses two rings, of which each has another interval between records of values. */
static void case_intervals(void)
{
	static struct ring other;

	ring.event[0].interval = 9;
	other.event[0].interval = 4;
	enable(&ring, SLOTS);
	mark(1, 2);
	enable(&other, SLOTS);
	mark(1, 2);
}

static void end_by(int sig)
{
	enable(&ring, SLOTS);
	for (int i = 0; i < 5; i++)
		mark((uint64_t)i, 2);
	puts("ok");
	fflush(stdout);
	kill(getpid(), sig);
	for (;;)
		pause();
}

static void case_kill(void)
{
	end_by(SIGKILL);
}

static void case_term(void)
{
	end_by(SIGTERM);
}

/* Has five records and waits for a signal that ends it. */
static void case_wait(void)
{
	enable(&ring, SLOTS);
	for (int i = 0; i < 5; i++)
		mark((uint64_t)i, 2);
	printf("ready %d\n", (int)getpid());
	fflush(stdout);
	for (;;)
		pause();
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{"handler", case_handler},
	{"illegal", case_illegal},
	{"blocked", case_blocked},
	{"thread", case_thread},
	{"fork", case_fork},
	{"off", case_off},
	{"exec", case_exec},
	{"fault", case_fault},
	{"protection", case_protection},
	{"interrupt", case_interrupt},
	{"nofiles", case_nofiles},
	{"signals", case_signals},
	{"threads", case_threads},
	{"freed", case_freed},
	{"intervals", case_intervals},
	{"kill", case_kill},
	{"term", case_term},
	{"wait", case_wait},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		if (argc == 2 && strcmp(argv[1], cases[i].name) == 0) {
			cases[i].run();
			puts("ok");
			return 0;
		}
	return 2;
}
