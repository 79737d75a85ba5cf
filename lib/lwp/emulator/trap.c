/*
 * SIGILL: an LWP instruction traps the first time, and always where its site cannot be
 * patched. All signals are blocked while it is emulated.
 */
#include "lwp/emulator/trap.h"

#include <asm/prctl.h>
#include <errno.h>
#include <linux/rseq.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "lwp/emulator/fast.h"
#include "lwp/emulator/real.h"
#include "lwp/emulator/site.h"

/* The registers of a signal context in the order of their encoding. */
static const int context_register[16] = {
	REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
	REG_R8,	 REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

/* Where trap_report() traps. */
void trap_report_at(void) __attribute__((visibility("hidden")));
int trap_report(enum report_kind kind, const void *p)
	__attribute__((visibility("hidden")));

asm(".text\n"
    ".globl trap_report\n"
    ".type trap_report, @function\n"
    "trap_report:\n"
    "	endbr64\n"
    "	mov %edi, %edi\n"
    "	movabs $0x6c77702d656d756c, %rax\n"
    ".globl trap_report_at\n"
    "trap_report_at:\n"
    "	ud2\n"
    "	test %rax, %rax\n"
    "	setz %al\n"
    "	movzbl %al, %eax\n"
    "	ret\n"
    ".size trap_report, . - trap_report\n");

/* The program's action, which is replaced as a whole. */
static struct sigaction actions[2];
static unsigned current;

void trap_set_action(const struct sigaction *action, struct sigaction *before)
{
	const unsigned now = __atomic_load_n(&current, __ATOMIC_ACQUIRE);

	if (before)
		*before = actions[now];
	if (!action)
		return;
	actions[!now] = *action;
	sigdelset(&actions[!now].sa_mask, SIGILL);
	__atomic_store_n(&current, !now, __ATOMIC_RELEASE);
}

/* Makes SIGILL end the program: at once if it was sent, else by the instruction again. */
static void end_program(int sent)
{
	const struct sigaction plain = {.sa_handler = SIG_DFL};

	REAL(sigaction)(SIGILL, &plain, NULL);
	if (sent)
		syscall(SYS_tgkill, getpid(), gettid(), SIGILL);
}

/* Calls the program's handler with the mask that the kernel would have set. */
static void call_program(int sig, siginfo_t *info, ucontext_t *context)
{
	const struct sigaction action =
		actions[__atomic_load_n(&current, __ATOMIC_ACQUIRE)];
	const int sent = info->si_code <= 0;
	sigset_t mask;

	if (action.sa_handler == SIG_IGN && sent)
		return;
	if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) {
		end_program(sent);
		return;
	}
	if (action.sa_flags & SA_RESETHAND)
		trap_set_action(&(struct sigaction){.sa_handler = SIG_DFL}, NULL);
	sigorset(&mask, &context->uc_sigmask, &action.sa_mask);
	sigdelset(&mask, SIGILL);
	REAL(pthread_sigmask)(SIG_SETMASK, &mask, NULL);
	action.sa_sigaction(sig, info, context);
}

/* Queues the signal of a fault, which is delivered at the instruction. */
static void deliver_fault(ucontext_t *context, const struct emulate_fault *f)
{
	siginfo_t info = {.si_signo = SIGSEGV, .si_code = f->code};

	info.si_addr = (void *)(uintptr_t)f->address;
	if (sigismember(&context->uc_sigmask, SIGSEGV)) {
		/* The kernel ends a program that blocks the signal of its fault. */
		REAL(sigaction)
		(SIGSEGV, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
		sigdelset(&context->uc_sigmask, SIGSEGV);
	}
	syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), SIGSEGV, &info);
}

/* The place where the kernel looks for the restartable sequence of this thread. */
static void *rseq_area(void)
{
	static __thread struct rseq own __attribute__((tls_model("initial-exec")));
	const ptrdiff_t *const offset = dlsym(RTLD_DEFAULT, "__rseq_offset");
	const unsigned *const size = dlsym(RTLD_DEFAULT, "__rseq_size");

	if (offset && size && *size)
		return (char *)__builtin_thread_pointer() + *offset;
	/* If this fails, the sequence is executed, but not restarted. */
	syscall(SYS_rseq, &own, sizeof own, 0, 0x53053053);
	return &own;
}

static void read_context(struct emulate_registers *r, const ucontext_t *context)
{
	const greg_t *const g = context->uc_mcontext.gregs;

	for (unsigned i = 0; i < 16; i++)
		r->reg[i] = (uint64_t)g[context_register[i]];
	r->ip = (uint64_t)g[REG_RIP];
	r->flags = (uint64_t)g[REG_EFL];
	syscall(SYS_arch_prctl, ARCH_GET_FS, &r->fs_base);
	syscall(SYS_arch_prctl, ARCH_GET_GS, &r->gs_base);
}

static void write_context(ucontext_t *context, const struct emulate_registers *r)
{
	greg_t *const g = context->uc_mcontext.gregs;

	for (unsigned i = 0; i < 16; i++)
		g[context_register[i]] = (greg_t)r->reg[i];
	g[REG_RIP] = (greg_t)r->ip;
	g[REG_EFL] = (greg_t)r->flags;
}

static void execute(ucontext_t *context, const lwp_instruction_t *i)
{
	struct emulate_registers r;
	struct emulate_fault fault;

	read_context(&r, context);
	const uint64_t ip = r.ip;
	const int result = emulate(&fast_state, getpid(), i, &r, &fault);
	if (result == -1) {
		deliver_fault(context, &fault);
		return;
	}
	write_context(context, &r);
	if (result == 1)
		fast_interrupt();
	if (i->op == LWP_OP_LLWPCB && fast_state.cb && !fast_state.rseq)
		fast_state.rseq = rseq_area();
	site_patch(ip, i);
}

/* Handles a trap at ip. Returns 0 if it is not of an LWP instruction. */
static int handle(ucontext_t *context, uint64_t ip)
{
	uint8_t bytes[LWP_INSTRUCTION_MAX];
	lwp_instruction_t i;
	const size_t n = emulate_read(getpid(), ip, bytes, sizeof bytes);
	const struct site *const site = site_find(ip);

	if (site && n && bytes[0] == SITE_JUMP)
		return 1; /* patched since the trap */
	if (site && n && bytes[0] == SITE_GUARD)
		i = site->instruction;
	else if (lwp_instruction_decode(&i, bytes, n, 64) == -1)
		return 0;
	execute(context, &i);
	return 1;
}

static void on_signal(int sig, siginfo_t *info, void *data)
{
	ucontext_t *const context = data;
	greg_t *const ip = &context->uc_mcontext.gregs[REG_RIP];
	const int saved = errno;

	if (*ip == (greg_t)(uintptr_t)trap_report_at)
		*ip += 2;
	else if (info->si_code <= 0 || !handle(context, (uint64_t)*ip))
		call_program(sig, info, context);
	errno = saved;
}

/* An LWP instruction that traps while SIGILL is blocked would end the program. */
static void __attribute__((constructor)) begin(void)
{
	static struct report_directory directory;
	struct sigaction action = {.sa_sigaction = on_signal,
				   .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigset_t set;

	sigfillset(&action.sa_mask);
	REAL(sigaction)(SIGILL, &action, &actions[0]);
	sigemptyset(&set);
	sigaddset(&set, SIGILL);
	REAL(pthread_sigmask)(SIG_UNBLOCK, &set, NULL);
	directory = (struct report_directory){
		.state = (uintptr_t)&fast_state - (uintptr_t)__builtin_thread_pointer(),
		.fast_begin = (uintptr_t)__start_lwp_fast,
		.fast_end = (uintptr_t)__stop_lwp_fast,
	};
	trap_report(REPORT_HELLO, &directory);
}
