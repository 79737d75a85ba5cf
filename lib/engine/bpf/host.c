#include "engine/bpf/host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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
	struct cpulist l;
	unsigned n = 0;

	if (cpulist_read(&l, "", "possible") == 0 && l.n > 0)
		n = (unsigned)l.cpu[l.n - 1] + 1;
	cpulist_free(&l);
	return n;
}

unsigned long bpf_host_ids(void)
{
	char text[32];

	return file_read(text, sizeof text, "/proc/sys/kernel/pid_max") > 0
		       ? strtoul(text, NULL, 10)
		       : 0;
}

/* The kernel's description of its types. */
struct description {
	unsigned char *bytes;
	size_t size;
	int is_mapped;
};

static const char path[] = "/sys/kernel/btf/vmlinux";

/* Before Linux 6.16 the file cannot be mapped, and each read(2) gets 4096 bytes. */
static int read_all(struct description *d, int fd, size_t size)
{
	ssize_t n = 1;

	d->bytes = malloc(size);
	while (d->bytes && d->size < size && n > 0) {
		n = read(fd, d->bytes + d->size, size - d->size);
		d->size += n > 0 ? (size_t)n : 0;
	}
	if (d->bytes && n >= 0)
		return 0;
	free(d->bytes);
	return -1;
}

static int load_description(struct description *d, int fd)
{
	struct stat st;

	if (fstat(fd, &st) == -1)
		return -1;
	void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return read_all(d, fd, (size_t)st.st_size);
	*d = (struct description){p, (size_t)st.st_size, 1};
	return 0;
}

/* Returns -1 with errno. */
static int open_description(struct description *d)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);

	*d = (struct description){0};
	if (fd == -1)
		return -1;
	const int rc = load_description(d, fd), e = errno;
	close(fd);
	errno = e;
	return rc;
}

static void close_description(struct description *d)
{
	if (d->is_mapped)
		munmap(d->bytes, d->size);
	else
		free(d->bytes);
}

static int refuse_description(struct why *why)
{
	if (errno == ENOENT)
		return why_refuse(why, ENOTSUP,
				  "this kernel does not describe its types (%s: %s)",
				  path, strerror(ENOENT));
	return why_refuse(why, errno,
			  "cannot read how this kernel describes its types: %s: %s", path,
			  strerror(errno));
}

int bpf_host_offsets(struct bpf_config *c, struct why *why)
{
	struct bpf_btf_place place[] = {
		{"task_struct", "thread_pid", &c->task_pid, 0},
		{"pid", "level", &c->pid_level, 0},
		{"pid", "numbers", &c->pid_numbers, 0},
		{"upid", "ns", &c->number_ns, 0},
		{"upid", NULL, &c->number_size, 0},
		{"linux_binprm", "p", &c->exec_stack, 0},
		{"linux_binprm", "exec", &c->exec_end, 0},
	};
	struct description d;

	if (open_description(&d) == -1)
		return refuse_description(why);
	const int rc =
		bpf_btf_find(d.bytes, d.size, place, sizeof place / sizeof place[0]);
	close_description(&d);
	return rc == 0 ? 0
		       : why_refuse(why, ENOTSUP,
				    "this kernel's description of its types (%s) lacks "
				    "task_struct, pid or linux_binprm",
				    path);
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
				  "CAP_PERFMON: run as root, or give them to the tool by "
				  "setcap cap_bpf,cap_perfmon+ep");
	if (errno == EINVAL)
		return why_refuse(why, ENOTSUP,
				  "BPF programs need Linux 6.1 or later here");
	return why_refuse(why, errno, "this kernel refuses BPF (bpf(2): %s)",
			  strerror(errno));
}
