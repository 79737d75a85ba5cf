#include "engine/kernel/breakpoint.h"

#include <ctype.h>
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "engine/why.h"

static const char prefix[] = "mem:";

static const struct {
	const char *text;
	uint32_t type;
} accesses[] = {
	{"x", HW_BREAKPOINT_X},
	{"r", HW_BREAKPOINT_R},
	{"w", HW_BREAKPOINT_W},
	{"rw", HW_BREAKPOINT_RW},
};

int kernel_breakpoint_is(const char *name)
{
	return strncmp(name, prefix, sizeof(prefix) - 1) == 0;
}

/*
 * Instructions of arm64 begin at multiples of 4. The kernel accepts other addresses too,
 * but never counts there.
 */
#ifdef __aarch64__
enum { insn_align = 4 };
#else
enum { insn_align = 1 };
#endif

/* Unlike strtoull(3), accept no signs and blanks: a number begins with a digit. */
static int parse_number(const char **p, uint64_t *val)
{
	if (!isdigit((unsigned char)**p))
		return -1;
	char *end;
	errno = 0;
	*val = strtoull(*p, &end, 0);
	*p = end;
	return errno ? -1 : 0;
}

static uint32_t access_type(const char *text)
{
	for (size_t i = 0; i < sizeof(accesses) / sizeof(accesses[0]); i++)
		if (strcmp(text, accesses[i].text) == 0)
			return accesses[i].type;
	return HW_BREAKPOINT_EMPTY;
}

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

int kernel_breakpoint_parse(const char *name, struct kernel_event *ev, struct why *why)
{
	const char *p = name + sizeof(prefix) - 1;

	*ev = (struct kernel_event){.type = PERF_TYPE_BREAKPOINT,
				    .bp_type = HW_BREAKPOINT_RW};
	if (parse_number(&p, &ev->config[1]))
		return why_refuse(why, EINVAL,
				  "%s: no 64-bit address after 'mem:'; the form is "
				  "mem:ADDR[/LEN][:x|r|w|rw]",
				  name);
	const int has_len = *p == '/';
	if (has_len) {
		p++;
		if (parse_number(&p, &ev->config[2]))
			return why_refuse(why, EINVAL, "%s: no length after '/'", name);
	}
	if (*p == ':') {
		ev->bp_type = access_type(++p);
		if (ev->bp_type == HW_BREAKPOINT_EMPTY)
			return why_refuse(why, EINVAL,
					  "%s: unknown access '%s'; use x, r, w or rw",
					  name, p);
		p += strlen(p);
	}
	if (*p)
		return why_refuse(why, EINVAL, "%s: unexpected '%s' at the end", name, p);
	if (!has_len)
		ev->config[2] = ev->bp_type == HW_BREAKPOINT_X ? sizeof(long) : 8;
	return check(name, ev, why);
}
