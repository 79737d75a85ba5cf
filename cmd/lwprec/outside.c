#include "outside.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/procfs.h"
#include "lwp/emulator/report.h"
#include "pctx/watch.h"

/* The signal of threshold interrupts, as the preloaded emulator sends it. */
#define INTERRUPT SIGSTKFLT

#ifdef __x86_64__
/* The kernel's code segment for programs of 64 bits. */
enum { CODE_64 = 0x33 };

/* Copies the general registers, in the order of their encoding, to or from an array. */
static void copy_general(struct user_regs_struct *u, uint64_t *reg, int set)
{
	unsigned long long *const place[16] = {
		&u->rax, &u->rcx, &u->rdx, &u->rbx, &u->rsp, &u->rbp, &u->rsi, &u->rdi,
		&u->r8,	 &u->r9,  &u->r10, &u->r11, &u->r12, &u->r13, &u->r14, &u->r15};

	for (unsigned i = 0; i < 16; i++) {
		if (set)
			*place[i] = reg[i];
		else
			reg[i] = *place[i];
	}
}

void outside_look(struct outside_trap *t)
{
	const struct user_regs_struct *const u = &t->registers;
	uint8_t bytes[LWP_INSTRUCTION_MAX];
	siginfo_t info;

	t->stop = OUTSIDE_OTHER;
	/* A signal that a process sent has an si_code of at most 0. */
	if (pctx_signal(t->tid, &info) == -1 || info.si_code <= 0 ||
	    pctx_registers(t->tid, &t->registers) == -1 || u->cs != CODE_64)
		return;
	const size_t n = emulate_read(t->pid, u->rip, bytes, sizeof bytes);
	if (lwp_instruction_decode(&t->instruction, bytes, n, 64) != -1) {
		t->stop = OUTSIDE_LWP;
	} else if (n >= 2 && memcmp(bytes, "\x0f\x0b", 2) == 0 &&
		   u->rax == REPORT_MAGIC) {
		t->stop = OUTSIDE_REPORT;
		t->kind = u->rdi;
		t->address = u->rsi;
	}
}

void outside_answer(const struct outside_trap *t)
{
	struct user_regs_struct u = t->registers;

	u.rax = 0;
	u.rip += 2; /* UD2 */
	pctx_set_registers(t->tid, &u);
}

/* Gives a thread a fault as its signal. Returns SIGSEGV. */
static int set_fault(pid_t tid, const struct emulate_fault *f)
{
	siginfo_t info = {.si_signo = SIGSEGV, .si_code = f->code};

	info.si_addr = (void *)(uintptr_t)f->address;
	pctx_unblock(tid, SIGSEGV);
	pctx_set_signal(tid, &info);
	return SIGSEGV;
}

/* Returns the signal of a threshold interrupt, if the program has a handler for it. */
static int interrupt(pid_t pid, pid_t tid)
{
	char text[4096];
	const char *const line = procfs_text(pid, "status", text, sizeof text)
					 ? strstr(text, "\nSigCgt:")
					 : NULL;
	unsigned long long caught = 0;
	siginfo_t info = {.si_signo = INTERRUPT, .si_code = SI_TKILL};

	if (line)
		sscanf(line + 8, "%llx", &caught);
	if (!(caught >> (INTERRUPT - 1) & 1))
		return 0;
	info.si_pid = pid;
	pctx_set_signal(tid, &info);
	return INTERRUPT;
}

int outside_execute(const struct outside_trap *t, struct emulate_state *s)
{
	struct user_regs_struct u = t->registers;
	struct emulate_registers r;
	struct emulate_fault fault;

	copy_general(&u, r.reg, 0);
	r.ip = u.rip;
	r.flags = u.eflags;
	r.fs_base = u.fs_base;
	r.gs_base = u.gs_base;
	const int result = emulate(s, t->pid, &t->instruction, &r, &fault);
	if (result == -1)
		return set_fault(t->tid, &fault);
	copy_general(&u, r.reg, 1);
	u.rip = r.ip;
	u.eflags = r.flags;
	pctx_set_registers(t->tid, &u);
	return result == 1 ? interrupt(t->pid, t->tid) : 0;
}

/*
 * Return eflags with the arithmetic flags that the trampoline saved (struct
 * report_frame).
 */
static uint64_t saved_flags(uint64_t eflags, uint64_t saved)
{
	const uint64_t of = UINT64_C(0x800), others = UINT64_C(0xd5);

	return (eflags & ~(of | others)) | (saved >> 8 & others) | (saved & 1 ? of : 0);
}

void outside_rewind(pid_t pid, pid_t tid, uint64_t begin, uint64_t end)
{
	struct user_regs_struct u;
	struct report_frame f;
	uint64_t frame, ip;

	if (pctx_registers(tid, &u) == -1 || u.rip < begin || u.rip >= end)
		return;
	if (emulate_read(pid, u.rbp, &frame, sizeof frame) != sizeof frame ||
	    emulate_read(pid, frame, &f, sizeof f) != sizeof f ||
	    emulate_read(pid, f.site, &ip, sizeof ip) != sizeof ip)
		return;
	copy_general(&u, f.reg, 1);
	u.rip = ip;
	u.eflags = saved_flags(u.eflags, f.flags);
	pctx_set_registers(tid, &u);
}

uint64_t outside_fs_base(pid_t tid)
{
	struct user_regs_struct u;

	return pctx_registers(tid, &u) == -1 ? 0 : u.fs_base;
}

int outside_executes(pid_t tid)
{
	struct user_regs_struct u;

	return pctx_registers(tid, &u) == 0 && (long long)u.rax == -ENOSYS &&
	       (u.orig_rax == SYS_execve || u.orig_rax == SYS_execveat);
}
#else
/* LWP is of x86 alone: record_emulate() refuses to run elsewhere. */
void outside_look(struct outside_trap *t)
{
	t->stop = OUTSIDE_OTHER;
}

void outside_answer(const struct outside_trap *t)
{
	(void)t;
}

int outside_execute(const struct outside_trap *t, struct emulate_state *s)
{
	(void)t;
	(void)s;
	return 0;
}

void outside_rewind(pid_t pid, pid_t tid, uint64_t begin, uint64_t end)
{
	(void)pid;
	(void)tid;
	(void)begin;
	(void)end;
}

uint64_t outside_fs_base(pid_t tid)
{
	(void)tid;
	return 0;
}

int outside_executes(pid_t tid)
{
	(void)tid;
	return 0;
}
#endif
