#include "engine/kernel/breakpoint.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "engine/breakpoint.h"
#include "engine/kernel/group.h"
#include "engine/why.h"

static const uint32_t type_of[] = {
	[ENGINE_ANY] = HW_BREAKPOINT_RW,	[ENGINE_EXECUTE] = HW_BREAKPOINT_X,
	[ENGINE_READ] = HW_BREAKPOINT_R,	[ENGINE_WRITE] = HW_BREAKPOINT_W,
	[ENGINE_READ_WRITE] = HW_BREAKPOINT_RW,
};

/*
 * Instructions of arm64 begin at multiples of 4. The kernel accepts other addresses too,
 * but never counts there.
 */
#ifdef __aarch64__
enum { insn_align = 4 };
#else
enum { insn_align = 1 };
#endif

/*
 * The length must be sizeof(long) for execution, and 1, 2, 4 or 8 with an aligned address
 * for data (perf_event_open(2), bp_len).
 */
static int check(const char *name, const struct kernel_event *ev, struct why *why)
{
	const unsigned long long addr = ev->config[1], len = ev->config[2];

	if (ev->bp_type == HW_BREAKPOINT_X) {
		if (len != sizeof(long))
			return why_refuse(why, EINVAL,
					  "%s: the length of an execution breakpoint "
					  "is always %zu; leave the length out",
					  name, sizeof(long));
		if (addr % insn_align)
			return why_refuse(why, EINVAL,
					  "%s: instructions of this processor begin at "
					  "multiples of %d",
					  name, insn_align);
		return 0;
	}
	if (len == 0 || len > 8 || (len & (len - 1)))
		return why_refuse(why, EINVAL,
				  "%s: the length must be 1, 2, 4 or 8, not %llu", name,
				  len);
	if (addr % len)
		return why_refuse(why, EINVAL,
				  "%s: address 0x%llx is not a multiple of the length "
				  "%llu; write mem:0x%llx/%llu",
				  name, addr, len, addr, addr & -addr);
	return 0;
}

static uint64_t length_of(uint32_t type, uint64_t length)
{
	if (length)
		return length;
	return type == HW_BREAKPOINT_X ? sizeof(long) : 8;
}

/* The breakpoint of kernel_breakpoint_stops() is here. */
static __attribute__((noinline)) void executed(void)
{
	__asm__ volatile("");
}

int kernel_breakpoint_stops(const struct kernel_env *env, uint32_t type)
{
	volatile uint64_t accessed = 0;
	const uintptr_t place =
		type == HW_BREAKPOINT_X ? (uintptr_t)executed : (uintptr_t)&accessed;
	const struct kernel_event ev = {.type = PERF_TYPE_BREAKPOINT,
					.bp_type = type,
					.config = {0, place, length_of(type, 0)},
					.exclude_kernel = 1,
					.exclude_hv = 1};
	const int err = errno;
	struct perf_event_attr attr;
	uint64_t count;
	int stops = -1;

	kernel_event_attr(&ev, &attr);
	const int fd = kernel_event_open(env, &attr, 0, -1, -1);
	if (fd >= 0) {
		executed();
		accessed = accessed + 1;
		if (read(fd, &count, sizeof count) == sizeof count)
			stops = count > 0;
		close(fd);
	}
	errno = err;
	return stops;
}

int kernel_breakpoint_parse(const char *name, struct kernel_event *ev, struct why *why)
{
	struct breakpoint b;

	*ev = (struct kernel_event){.type = PERF_TYPE_BREAKPOINT};
	if (breakpoint_parse(name, &b, why))
		return -1;
	ev->bp_type = type_of[b.access];
	ev->config[1] = b.address;
	ev->config[2] = b.has_length ? b.length : length_of(ev->bp_type, 0);
	if (check(name, ev, why))
		return -1;
	ev->named = b.symbol != NULL;
	return 0;
}

/* The kernel refuses attributes that differ in anything but the breakpoint. */
static int move(const struct part *p, const struct kernel_event *to, struct why *why)
{
	const struct kernel_open_how how = {.read_group = 1, .enabled = 1};
	struct perf_event_attr attr;

	kernel_event_attr_as(to, &how, p->fd, &attr);
	if (ioctl(p->fd, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &attr) == 0 &&
	    ioctl(p->fd, PERF_EVENT_IOC_RESET, 0) == 0)
		return 0;
	return why_refuse(why, errno,
			  "the kernel refuses a breakpoint at address 0x%llx: %s%s",
			  (unsigned long long)to->config[1], strerror(errno),
			  errno == ENOTTY ? " (names need Linux 4.17 or later)" : "");
}

int kernel_breakpoint_place(struct group *g, const struct evsel *s, unsigned i,
			    const struct engine_place *p, struct why *why)
{
	struct kernel_event to = s->ev[0];

	if (p) {
		to.bp_type = type_of[p->access];
		to.config[1] = p->address;
		to.config[2] = length_of(to.bp_type, p->length);
		if (check(s->name, &to, why))
			return -1;
	}
	for (unsigned k = 0; k < g->n; k++) {
		if (g->part[k].sel != i || !s->ev[0].named)
			continue;
		if (move(&g->part[k], &to, why))
			return -1;
		g->part[k].place = !p		       ? PLACE_NONE
				   : p->is_provisional ? PLACE_PROVISIONAL
						       : PLACE_OF_NAME;
		return 0;
	}
	return why_refuse(why, EINVAL, "%s: not a breakpoint at a name", s->name);
}
