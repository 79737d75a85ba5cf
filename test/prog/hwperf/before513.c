/*
 * The system call perf_event_open(2) as on Linux before 5.13, which refuses events that
 * only new threads inherit. Linked into a program with --wrap=syscall; the library makes
 * the call by syscall(2).
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/syscall.h>

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

static int is_refused(const struct perf_event_attr *attr)
{
#ifdef PERF_ATTR_SIZE_VER7
	return attr->inherit_thread;
#else
	(void)attr;
	return 0;
#endif
}

long __wrap_syscall(long number, ...)
{
	long arg[6];
	va_list ap;

	va_start(ap, number);
	for (size_t i = 0; i < sizeof arg / sizeof arg[0]; i++)
		arg[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_perf_event_open &&
	    is_refused((const struct perf_event_attr *)arg[0])) {
		errno = EINVAL;
		return -1;
	}
	return __real_syscall(number, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
}
