/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/exec.h"

#include "pub_tool_clientstate.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"
#include "pub_tool_xarray.h"

#include "sim/tool/run.h"

/* Names of the core that its headers for tools do not declare. */
extern Int VG_(cl_exec_fd);
extern struct vki_rlimit VG_(client_rlimit_stack);
extern SysRes VG_(do_syscall)(UWord number, UWord a, UWord b, UWord c, UWord d, UWord e,
			      UWord f, UWord g, UWord h);

/* The most signals that can be pending at once and are kept. */
enum { MAX_PENDING = 128 };

static struct {
	int active;  /* between the start of an execve(2) and its failure */
	HChar **env; /* the environment that the program gave */
	unsigned nsignals;
	vki_siginfo_t signal[MAX_PENDING]; /* pending when the core took them */
} exec;

void exec_begin(HChar **env)
{
	exec.active = 1;
	exec.env = env;
	exec.nsignals = 0;
}

void exec_failed(void)
{
	exec.active = 0;
}

void exec_took_signal(const vki_siginfo_t *info)
{
	if (exec.active && exec.nsignals < MAX_PENDING)
		exec.signal[exec.nsignals++] = *info;
}

/* Does path name the program of this process by a link in /proc? */
static int is_self(const HChar *path)
{
	HChar pid[32];

	VG_(sprintf)(pid, "/proc/%d/exe", VG_(getpid)());
	return !VG_(strcmp)(path, "/proc/self/exe") || !VG_(strcmp)(path, pid) ||
	       !VG_(strcmp)(path, "/proc/thread-self/exe");
}

/*
 * Stores the path of this process's program (of a script's interpreter) in path, which
 * has VKI_PATH_MAX bytes. Returns 0 or -1. Uses /proc/thread-self, as the first thread
 * may have ended.
 */
static int program_file(HChar *path)
{
	HChar fd[48];

	VG_(lseek)(VG_(cl_exec_fd), 0, VKI_SEEK_SET);
	Int n = VG_(read)(VG_(cl_exec_fd), path, VKI_PATH_MAX - 1);

	if (n > 2 && path[0] == '#' && path[1] == '!') {
		path[n] = '\0';
		const HChar *from = path + 2;
		while (*from == ' ' || *from == '\t')
			from++;
		for (n = 0; from[n] && !VG_(strchr)(" \t\n", from[n]); n++)
			path[n] = from[n];
	} else {
		VG_(sprintf)(fd, "/proc/thread-self/fd/%d", VG_(cl_exec_fd));
		n = (Int)VG_(readlink)(fd, path, VKI_PATH_MAX - 1);
	}
	if (n <= 0)
		return -1;
	path[n] = '\0';
	return 0;
}

/* Returns a path by which the launcher executes the file that the program meant. */
static const HChar *launcher_path(const HChar *path)
{
	static HChar changed[VKI_PATH_MAX + 2];

	if (is_self(path))
		return program_file(changed) == 0 ? changed : path;
	/* The launcher would read the path as an option. */
	if (path[0] == '-' && VG_(strlen)(path) < VKI_PATH_MAX) {
		VG_(strcpy)(changed, "./");
		VG_(strcat)(changed, path);
		return changed;
	}
	return path;
}

/* Sends the signals that the core took, so that they are pending as they were. */
static void send_signals(void)
{
	for (unsigned i = 0; i < exec.nsignals; i++) {
		vki_siginfo_t *const info = &exec.signal[i];

		VG_(do_syscall)
		(__NR_rt_tgsigqueueinfo, (UWord)VG_(getpid)(), (UWord)VG_(gettid)(),
		 (UWord)info->si_signo, (UWord)info, 0, 0, 0, 0);
	}
	exec.nsignals = 0;
}

/* Returns the number after a key of /proc/thread-self/status, or 0. */
static Int status_number(const HChar *key)
{
	static HChar text[2048];
	const SysRes r = VG_(open)("/proc/thread-self/status", VKI_O_RDONLY, 0);

	if (sr_isError(r))
		return 0;
	const Int n = VG_(read)((Int)sr_Res(r), text, sizeof text - 1);
	VG_(close)((Int)sr_Res(r));
	text[n > 0 ? n : 0] = '\0';
	const HChar *const at = VG_(strstr)(text, key);
	return at ? (Int)VG_(strtoll10)(at + VG_(strlen)(key), NULL) : 0;
}

/*
 * Is this process traced by a process that is simulated? A debugger would see the
 * simulator start in place of the program.
 */
static int is_debugged(void)
{
	const Int tracer = status_number("TracerPid:\t");

	return tracer > 0 && run_has(tracer);
}

/* The core keeps the limit that the program sets for stacks: the kernel must know it. */
static void set_stack_limit(void)
{
	VG_(do_syscall)
	(__NR_setrlimit, VKI_RLIMIT_STACK, (UWord)&VG_(client_rlimit_stack), 0, 0, 0, 0,
	 0, 0);
}

void exec_prepare(UWord *path, UWord *argv, UWord *env)
{
	const Word at = 1 + VG_(sizeXA)(VG_(args_for_valgrind)) -
			VG_(args_for_valgrind_noexecpass);
	const HChar **const words = (const HChar **)*argv;
	Word n = 0;

	if (!exec.active)
		return;
	while (words[n] && n < at)
		n++;
	if (words[n])
		words[n] = launcher_path(words[n]);
	*env = (UWord)exec.env;
	if (words[n] && is_debugged()) {
		*path = (UWord)words[n];
		*argv = (UWord)(words + n);
		words[n] = run_native(words[n]);
	}
	set_stack_limit();
	send_signals();
}
