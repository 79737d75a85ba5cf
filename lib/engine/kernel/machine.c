#include "engine/kernel/machine.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cpulist.h"
#include "base/file.h"

static int file_number(const char *root, const char *file)
{
	char buf[32];

	return file_read(buf, sizeof(buf), "%s/%s", root, file) < 0 ? KERNEL_UNKNOWN
								    : atoi(buf);
}

static int exists(const char *root, const char *file)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", root, file);
	return access(path, F_OK) == 0;
}

/* Returns the value of a line "KEY:\tVALUE" in the text of a file of /proc, or NULL. */
static const char *field(const char *text, const char *key)
{
	const size_t len = strlen(key);

	for (const char *p = text; p; p = strchr(p, '\n')) {
		p += *p == '\n';
		if (strncmp(p, key, len) == 0 && p[len] == ':')
			return p + len + 1;
	}
	return NULL;
}

static void read_self(const char *root, struct kernel_machine *m)
{
	char text[4096];

	m->seccomp = KERNEL_UNKNOWN;
	if (file_read(text, sizeof(text), "%s/proc/self/status", root) < 0)
		return;
	const char *caps = field(text, "CapEff"), *seccomp = field(text, "Seccomp");
	if (caps)
		m->caps = strtoull(caps, NULL, 16);
	if (seccomp)
		m->seccomp = atoi(seccomp);
}

static void read_fds(const char *root, struct kernel_machine *m)
{
	char path[512];
	struct rlimit lim;

	if (getrlimit(RLIMIT_NOFILE, &lim) == 0)
		m->fds_limit = lim.rlim_cur;
	snprintf(path, sizeof(path), "%s/proc/self/fd", root);
	/* If every descriptor is in use, the folder cannot be opened. */
	m->fds_open = m->fds_limit;
	DIR *d = opendir(path);
	if (!d)
		return;
	m->fds_open = 0;
	/* Inherited descriptors above the limit leave as many below it. */
	for (const struct dirent *e; (e = readdir(d));)
		m->fds_open += isdigit((unsigned char)e->d_name[0]) &&
			       strtoul(e->d_name, NULL, 10) < m->fds_limit;
	m->fds_open--; /* the descriptor of the folder */
	closedir(d);
}

static int in_container(const char *root)
{
	return exists(root, ".dockerenv") || exists(root, "run/.containerenv") ||
	       exists(root, "run/systemd/container");
}

/*
 * Only x86 processors have a flag for virtual machines; on others the firmware names the
 * hypervisor, in the device tree or in SMBIOS.
 */
static int firmware_is_virtual(const char *root)
{
	static const struct {
		const char *file, *start;
	} signs[] = {
		{"sys/firmware/devicetree/base/compatible", "linux,dummy-virt"},
		{"sys/firmware/devicetree/base/compatible", "xen,xenvm"},
		{"sys/firmware/devicetree/base/hypervisor/compatible", ""},
		{"sys/class/dmi/id/sys_vendor", "QEMU"},
		{"sys/class/dmi/id/sys_vendor", "VMware"},
		{"sys/class/dmi/id/product_name", "Virtual Machine"}, /* Hyper-V */
		{"sys/class/dmi/id/product_name", "Apple Virtualization"},
	};
	char text[128];

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (file_read(text, sizeof(text), "%s/%s", root, signs[i].file) >= 0 &&
		    strncmp(text, signs[i].start, strlen(signs[i].start)) == 0)
			return 1;
	return 0;
}

static int has_hypervisor(const char *root)
{
	char text[8192], *flags = NULL;

	if (exists(root, "sys/hypervisor/type") || firmware_is_virtual(root))
		return 1;
	if (file_read(text, sizeof(text), "%s/proc/cpuinfo", root) >= 0)
		flags = strstr(text, "\nflags");
	if (!flags)
		return 0;
	flags[1 + strcspn(flags + 1, "\n")] = '\0';
	return strstr(flags, " hypervisor") != NULL;
}

int kernel_machine_privileged(const struct kernel_machine *m)
{
	const uint64_t admin = UINT64_C(1) << CAP_SYS_ADMIN;
	const uint64_t perfmon = UINT64_C(1) << CAP_PERFMON;

	return (m->caps & (kernel_machine_level(m) >= 3 ? admin : admin | perfmon)) != 0;
}

int kernel_machine_level(const struct kernel_machine *m)
{
	return m->lenient && m->paranoid > 2 ? 2 : m->paranoid;
}

void kernel_machine_try(const struct kernel_env *env, struct kernel_machine *m)
{
	const struct kernel_event faults = {.type = PERF_TYPE_SOFTWARE,
					    .config = {PERF_COUNT_SW_PAGE_FAULTS},
					    .exclude_kernel = 1,
					    .exclude_hv = 1};
	struct perf_event_attr attr;
	const int err = errno;

	if (m->paranoid > 2) {
		kernel_event_attr(&faults, &attr);
		const int fd = env->perf_open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
		m->lenient = fd >= 0;
		if (fd >= 0)
			close(fd);
	}
	errno = err;
}

int kernel_machine_has_cpu(const char *root, int cpu)
{
	char file[64];

	snprintf(file, sizeof(file), "sys/devices/system/cpu/cpu%d", cpu);
	return exists(root, file);
}

int kernel_machine_is_online(const char *root, int cpu)
{
	struct cpulist online;

	if (cpulist_read(&online, root, "online") == -1)
		return 1;
	const int is = cpulist_has(&online, cpu);
	cpulist_free(&online);
	return is;
}

void kernel_machine_read(const char *root, struct kernel_machine *m)
{
	const int err = errno;
	char text[128];

	*m = (struct kernel_machine){.euid = geteuid()};
	read_fds(root, m);
	m->paranoid = file_number(root, "proc/sys/kernel/perf_event_paranoid");
	m->no_perf = !exists(root, "proc/sys/kernel/perf_event_paranoid") &&
		     exists(root, "proc/sys/kernel");
	m->nmi_watchdog = file_number(root, "proc/sys/kernel/nmi_watchdog");
	m->hypervisor = has_hypervisor(root);
	m->container = in_container(root);
	m->lockdown = file_read(text, sizeof(text), "%s/sys/kernel/security/lockdown",
				root) >= 0 &&
		      !strstr(text, "[none]");
	read_self(root, m);
	errno = err;
}
