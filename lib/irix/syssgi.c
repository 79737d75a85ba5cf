/* syssgi(): the commands on the counters of all CPUs, and profiles. */
#include <hwperf.h>

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>

#include "irix/hwperf_call.h"
#include "irix/hwperf_profile.h"
#include "irix/hwperf_setup.h"
#include "irix/hwperf_system.h"

static int invalid(void)
{
	errno = EINVAL;
	return -1;
}

static int get_counters(hwperf_cntr_t *counters)
{
	hwperf_values_t values;
	const int rc = hwperf_system_values(&values);

	if (rc != -1)
		hwperf_values_counters(&values, counters);
	return rc;
}

static int get_cpu_counters(int cpu, hwperf_cntr_t *counters)
{
	hwperf_values_t values;
	const int rc = hwperf_system_cpu_values(cpu, &values);

	if (rc > 0)
		hwperf_values_counters(&values, counters);
	return rc;
}

/* The commands whose first argument is a pointer. */
static int with_pointer(int cmd, void *arg)
{
	if (!arg)
		return invalid();
	switch (cmd) {
	case HWPERF_ENSYSCNTRS:
		return hwperf_system_start(arg, 1);
	case HWPERF_GET_SYSCNTRS:
		return get_counters(arg);
	case HWPERF_GET_SYSEVCTRL:
		return hwperf_system_control(arg);
	case HWPERF_SET_SYSEVCTRL:
		return hwperf_system_modify(arg);
	case HWPERF_GET_SYSVALS:
		return hwperf_system_values(arg);
	case HWPERF_SET_SYSEVRULE:
		return hwperf_system_rule(*(const int *)arg);
	case HWPERF_SET_SYSEVNAME:
		return hwperf_system_name(arg);
	}
	return invalid();
}

static int with_cpu(int cmd, int cpu, void *arg)
{
	if (!arg)
		return invalid();
	return cmd == HWPERF_GET_CPUVALS ? hwperf_system_cpu_values(cpu, arg)
					 : get_cpu_counters(cpu, arg);
}

static int with_ranges(const hwperf_profevctrarg_t *arg, const struct hwperf_prof *prof,
		       int n)
{
	return arg && prof ? hwperf_profile_start(arg, prof, n) : invalid();
}

static int command(int cmd, va_list ap)
{
	if (cmd == HWPERF_RELSYSCNTRS)
		return hwperf_system_release();
	if (cmd == HWPERF_GET_CPUCNTRS || cmd == HWPERF_GET_CPUVALS) {
		const int cpu = va_arg(ap, int);

		return with_cpu(cmd, cpu, va_arg(ap, void *));
	}
	void *first = va_arg(ap, void *);
	if (cmd != HWPERF_PROFENABLE)
		return with_pointer(cmd, first);
	const struct hwperf_prof *prof = va_arg(ap, const struct hwperf_prof *);
	return with_ranges(first, prof, va_arg(ap, int));
}

int syssgi(int request, int cmd, ...)
{
	va_list ap;

	if (request != SGI_EVENTCTR)
		return invalid();
	if (hwperf_call_begin() == -1)
		return -1;
	va_start(ap, cmd);
	const int rc = command(cmd, ap);
	va_end(ap);
	hwperf_call_end();
	return rc;
}
