#include "engine/sim/locate.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/file.h"
#include "base/program.h"
#include "engine/why.h"

/* The folder where the simulator is installed; the build defines it. */
#ifndef SIMDIR
#define SIMDIR "/usr/local/libexec/opencpc"
#endif

enum { INTERPRETERS = 4 }; /* scripts that interpret each other; the kernel's limit */

/* Write "dir/name". Returns 0 if it is too long, else 1. */
static int join(char path[PATH_MAX], const char *dir, size_t len, const char *name)
{
	const int n =
		snprintf(path, PATH_MAX, "%.*s%s%s", (int)len, dir, len ? "/" : "", name);

	return n > 0 && n < PATH_MAX;
}

static int has_simulator(const char *dir, char launcher[PATH_MAX])
{
	char tool[PATH_MAX];

	return join(tool, dir, strlen(dir), SIM_TOOL) && access(tool, X_OK) == 0 &&
	       join(launcher, dir, strlen(dir), SIM_LAUNCHER) &&
	       access(launcher, X_OK) == 0;
}

/* Write the folder of the running program. Returns 0 if it is unknown, else 1. */
static int own_folder(char dir[PATH_MAX])
{
	const ssize_t n = readlink("/proc/self/exe", dir, PATH_MAX - 1);

	if (n <= 0)
		return 0;
	dir[n] = '\0';
	char *slash = strrchr(dir, '/');
	if (!slash)
		return 0;
	*slash = '\0';
	return 1;
}

/* Does /proc show the processes of the pid namespace that this process is in? */
static int check_proc(struct why *why)
{
	char self[32];
	const ssize_t n = readlink("/proc/self", self, sizeof self - 1);

	if (n > 0) {
		self[n] = '\0';
		if (atoi(self) == getpid())
			return 0;
	}
	return why_refuse(why, ENOTSUP,
			  "the simulator cannot run without /proc, which %s; mount it: "
			  "mount -t proc proc /proc",
			  n > 0 || access("/proc/version", F_OK) == 0
				  ? "shows the processes of another pid namespace"
				  : "is not mounted");
}

int sim_locate(char launcher[PATH_MAX], struct why *why)
{
	static const char *const beside[] = {"../sim", "../libexec/opencpc"};
	const char *set = secure_getenv("CPC_SIM_DIR");
	char own[PATH_MAX], dir[PATH_MAX];

#ifndef __x86_64__
	return why_refuse(why, ENOTSUP, "the simulator runs only on x86-64");
#endif
	if (check_proc(why) == -1)
		return -1;
	if (set && *set) {
		if (realpath(set, dir) && has_simulator(dir, launcher))
			return 0;
		return why_refuse(why, ENOTSUP,
				  "there is no simulator (" SIM_LAUNCHER " and " SIM_TOOL
				  ") in $CPC_SIM_DIR, %s",
				  set);
	}
	for (unsigned i = 0; own_folder(own) && i < sizeof beside / sizeof beside[0];
	     i++) {
		char near[PATH_MAX];

		if (join(near, own, strlen(own), beside[i]) && realpath(near, dir) &&
		    has_simulator(dir, launcher))
			return 0;
	}
	if (has_simulator(SIMDIR, launcher))
		return 0;
	return why_refuse(why, ENOTSUP,
			  "no simulator in $CPC_SIM_DIR, beside the program or in " SIMDIR
			  "; install the package valgrind and build OpenCPC again");
}

static int refuse_exec(const char *file, int e, struct why *why)
{
	if (e == ENOENT || e == ENOTDIR)
		return why_refuse(why, ENOENT, "cannot find program '%s'", file);
	return why_refuse(why, e, "cannot execute program '%s': %s", file, strerror(e));
}

static int has_privilege(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 &&
	       (st.st_mode & (S_ISUID | S_ISGID) ||
		getxattr(path, "security.capability", NULL, 0) > 0);
}

/*
 * Is this an ELF file that is not for x86-64? Other files are for a shell or interpreter.
 */
static int is_foreign(const unsigned char *head, size_t n)
{
	if (n < SELFMAG || memcmp(head, ELFMAG, SELFMAG) != 0)
		return 0;
	return n < EI_NIDENT + 4 || head[EI_CLASS] != ELFCLASS64 ||
	       head[EI_DATA] != ELFDATA2LSB ||
	       (head[EI_NIDENT + 2] | head[EI_NIDENT + 3] << 8) != EM_X86_64;
}

/* Returns the word after "#!", which stays in head, or NULL if this is no script. */
static char *interpreter(char *head)
{
	if (strncmp(head, "#!", 2) != 0)
		return NULL;
	char *word = head + 2 + strspn(head + 2, " \t");
	word[strcspn(word, " \t\n")] = '\0';
	return *word ? word : NULL;
}

static int check_program(const char *file, const char *path, struct why *why)
{
	char head[PATH_MAX + 8], at[PATH_MAX];

	join(at, "", 0, path);
	for (unsigned depth = 0; depth <= INTERPRETERS; depth++) {
		const ssize_t n = file_read(head, sizeof head, "%s", at);

		if (n < 0)
			return why_refuse(
				why, errno == ENOENT ? ENOENT : ENOTSUP,
				"cannot simulate program '%s': cannot read %s: %s", file,
				at, strerror(errno));
		if (has_privilege(at))
			return why_refuse(why, ENOTSUP,
					  "cannot simulate program '%s': it is set-id or "
					  "privileged; "
					  "simulate a copy that is not",
					  at);
		if (is_foreign((const unsigned char *)head, (size_t)n))
			return why_refuse(
				why, ENOTSUP,
				"cannot simulate program '%s': it is not for x86-64; "
				"--engine=kernel counts it, but not with --machine or "
				"--reproducible",
				at);
		const char *next = interpreter(head);
		if (!next)
			return 0;
		join(at, "", 0, next);
	}
	return why_refuse(why, ELOOP, "cannot execute program '%s': %s", file,
			  strerror(ELOOP));
}

int sim_locate_program(const char *file, char path[PATH_MAX], struct why *why)
{
	const int e = program_find(file, path);

	return e ? refuse_exec(file, e, why) : check_program(file, path, why);
}
