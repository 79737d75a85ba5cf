#include "engine/bpf/host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cpulist.h"
#include "base/file.h"
#include "engine/bpf/btf.h"
#include "engine/bpf/object.h"
#include "engine/bpf/sys.h"
#include "engine/why.h"

unsigned bpf_host_cpus(void)
{
	char text[1024];
	struct cpulist l = {0};
	unsigned n = 0;

	if (file_read(text, sizeof text, "/sys/devices/system/cpu/possible") > 0 &&
	    cpulist_parse(&l, text) == 0 && l.n > 0)
		n = (unsigned)l.cpu[l.n - 1] + 1;
	cpulist_free(&l);
	return n;
}

/* Read the kernel's description of its types. Returns NULL with errno. */
static unsigned char *read_btf(size_t *size)
{
	struct stat st;
	const int fd = open("/sys/kernel/btf/vmlinux", O_RDONLY | O_CLOEXEC);
	unsigned char *btf = NULL;
	ssize_t n = 1;

	*size = 0;
	if (fd == -1)
		return NULL;
	if (fstat(fd, &st) == 0)
		btf = malloc((size_t)st.st_size + 1);
	while (btf && *size < (size_t)st.st_size && n > 0) {
		n = read(fd, btf + *size, (size_t)st.st_size - *size);
		*size += n > 0 ? (size_t)n : 0;
	}
	close(fd);
	return btf;
}

int bpf_host_offsets(struct bpf_config *c, struct why *why)
{
	struct bpf_btf_place place[] = {
		{"task_struct", "thread_pid", &c->task_pid, 0},
		{"pid", "level", &c->pid_level, 0},
		{"pid", "numbers", &c->pid_numbers, 0},
		{"upid", "ns", &c->number_ns, 0},
		{"upid", NULL, &c->number_size, 0},
	};
	size_t size;
	unsigned char *btf = read_btf(&size);

	if (!btf)
		return why_refuse(why, ENOTSUP,
				  "this kernel does not describe its types "
				  "(/sys/kernel/btf/vmlinux: %s)",
				  strerror(errno));
	const int rc = bpf_btf_find(btf, size, place, sizeof place / sizeof place[0]);
	free(btf);
	return rc == 0 ? 0
		       : why_refuse(why, ENOTSUP,
				    "this kernel's description of its types "
				    "(/sys/kernel/btf/vmlinux) lacks task_struct or pid");
}

/*
 * Programs that the scheduler runs must not wait for memory. Since Linux 6.1 maps take
 * memory that the kernel keeps ready for them; so have maps of a type that is as old.
 */
int bpf_host_check(struct why *why)
{
	enum { USER_RING = 31 }; /* BPF_MAP_TYPE_USER_RINGBUF of Linux 6.1 */
	size_t size;

	bpf_object_built_in(&size);
	if (!size)
		return why_refuse(why, ENOTSUP,
				  "cputrack was built without BPF programs, for which "
				  "the build needs clang");
	const int fd = bpf_sys_map(&(struct bpf_sys_map){
		.type = USER_RING, .entries = (unsigned)sysconf(_SC_PAGESIZE)});

	if (fd >= 0) {
		close(fd);
		return 0;
	}
	if (errno == EPERM)
		return why_refuse(why, EPERM,
				  "BPF programs need the capabilities CAP_BPF and "
				  "CAP_PERFMON: run as root, or give them to cputrack by "
				  "setcap cap_bpf,cap_perfmon+ep");
	if (errno == EINVAL)
		return why_refuse(why, ENOTSUP,
				  "BPF programs need Linux 6.1 or later here");
	return why_refuse(why, errno, "this kernel refuses BPF (bpf(2): %s)",
			  strerror(errno));
}
