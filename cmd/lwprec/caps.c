/* lwprec caps: what LWP can do on this machine, or on one whose registers are given. */
#include "caps_table.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "commands.h"
#include "common/message.h"
#include "common/options.h"
#include "common/out.h"
#include "common/status.h"
#include "options_table.h"

static const struct options_command *const command = &lwprec_caps;

/* The leaves, as --cpuid calls them. */
static const struct {
	const char *name;
	unsigned known; /* CAPS_* */
	size_t at;	/* offset of the registers in lwp_cpuid_t */
} leaves[] = {
	{"8000001c", CAPS_LWP, offsetof(lwp_cpuid_t, lwp)},
	{"80000001", CAPS_EXTENDED, offsetof(lwp_cpuid_t, extended)},
	{"d", CAPS_XSAVE, offsetof(lwp_cpuid_t, xsave)},
	{"d.62", CAPS_AREA, offsetof(lwp_cpuid_t, area)},
};

/* The number in the first n characters of s, in a base; exits if they are no number. */
static uint64_t number(const char *option, const char *s, size_t n, int base,
		       uint64_t max)
{
	char text[32], *end;

	snprintf(text, sizeof text, "%.*s", (int)n, s);
	errno = 0;
	const unsigned long long v = strtoull(text, &end, base);

	if (n == 0 || n >= sizeof text || *end || errno || v > max ||
	    strspn(text, "0123456789abcdefxABCDEFX") != n)
		options_bad_long(command, "%s: '%.*s' is not a number up to 0x%llx",
				 option, (int)n, s, (unsigned long long)max);
	return v;
}

/* Copies the name of a leaf without 0x, zeros before it and the _ of manuals. */
static void leaf_name(char *to, size_t size, const char *from, size_t n)
{
	size_t len = 0, i = n > 1 && strncasecmp(from, "0x", 2) == 0 ? 2 : 0;

	for (; i < n && len + 1 < size; i++)
		if (from[i] != '_' && (len || from[i] != '0'))
			to[len++] = from[i];
	to[len] = '\0';
}

/* Reads LEAF=EAX,EBX,ECX,EDX. */
static void parse_cpuid(struct caps *c, const char *text)
{
	const size_t n = strcspn(text, "=");
	char name[16];
	size_t i;

	leaf_name(name, sizeof name, text, n);
	for (i = 0; i < sizeof leaves / sizeof leaves[0]; i++)
		if (strcasecmp(name, leaves[i].name) == 0)
			break;
	if (i == sizeof leaves / sizeof leaves[0])
		options_bad_long(command,
				 "--cpuid: '%.*s' is not a leaf about LWP, which are "
				 "8000_001C, 8000_0001, D and D.62",
				 (int)n, text);
	const char *s = text + n;

	for (unsigned reg = 0; reg < 4; reg++) {
		if (*s != (reg ? ',' : '='))
			options_bad_long(command,
					 "--cpuid: '%s' needs four registers: "
					 "LEAF=EAX,EBX,ECX,EDX",
					 text);
		const size_t len = strcspn(++s, ",");
		const uint32_t v = (uint32_t)number("--cpuid", s, len, 16, UINT32_MAX);

		memcpy((char *)&c->cpuid + leaves[i].at + reg * sizeof v, &v, sizeof v);
		s += len;
	}
	if (*s)
		options_bad_long(command, "--cpuid: '%s' has more than four registers",
				 text);
	c->known |= leaves[i].known;
}

/* Returns the FILE of --msr, or NULL. */
static const char *parse(struct caps *c, struct options_shared *shared, int argc,
			 char **argv)
{
	const char *msr = NULL;
	int o;

	options_shared_begin(shared, command, argv);
	while ((o = options_read(shared, argc, argv)) != -1) {
		if (o == LWPREC_CPUID) {
			parse_cpuid(c, optarg);
		} else if (o == LWPREC_CFG) {
			c->cfg = number("--cfg", optarg, strlen(optarg), 0, UINT64_MAX);
			c->known |= CAPS_CFG;
		} else if (o == LWPREC_MSR) {
			msr = optarg;
		} else {
			options_shared_parse(shared, o);
		}
	}
	if (optind < argc)
		options_bad(command, "caps takes no operand, but there is '%s'",
			    argv[optind]);
	return msr;
}

/* Reads the MSRs from a file like /dev/cpu/0/msr. Returns 0, or -1 with errno. */
static int read_msrs(struct caps *c, const char *file)
{
	uint64_t v[2] = {0};
	const int fd = open(file, O_RDONLY | O_CLOEXEC);

	if (fd == -1)
		return -1;
	errno = EIO; /* for a file that ends before */
	const int is_read = pread(fd, &v[0], 8, LWP_MSR_CFG) == 8 &&
			    pread(fd, &v[1], 8, LWP_MSR_CBADDR) == 8;
	const int error = errno;

	close(fd);
	if (is_read) {
		if (!(c->known & CAPS_CFG))
			c->cfg = v[0];
		c->cbaddr = v[1];
		c->known |= CAPS_CFG | CAPS_CBADDR;
	}
	errno = error;
	return is_read ? 0 : -1;
}

/* Reads the registers that no option gives from this machine. */
static void ask(struct caps *c, const char *msr)
{
	static const char device[] = "/dev/cpu/0/msr";

	if (!(c->known & CAPS_LEAVES)) {
		if (lwp_cpuid_read(&c->cpuid) == 0)
			c->known |= CAPS_LEAVES;
		else
			message_notef(
				"this processor is not of the x86 kind: it has no CPUID, "
				"and no LWP");
		c->is_here = 1;
	}
	if (msr) {
		if (read_msrs(c, msr) != 0)
			err(EXIT_TOOL, "cannot read the MSRs of LWP from %s", msr);
	} else if (c->is_here && caps_has_lwp(c) && read_msrs(c, device) != 0) {
		message_notef("cannot read the MSRs of LWP from %s: %s", device,
			      strerror(errno));
	}
}

int command_caps(int argc, char **argv)
{
	struct caps caps = {0};
	struct options_shared shared;
	struct textbuf b = {0};
	const char *msr = parse(&caps, &shared, argc, argv);

	ask(&caps, msr);
	caps_write(&b, &caps, shared.format);
	options_shared_free(&shared);
	return out_print(textbuf_end(&b));
}
