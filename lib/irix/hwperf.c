/* hwperf_ioctl(): the commands on the counters of a process. */
#include <hwperf.h>

#include <errno.h>
#include <stdarg.h>

#include "irix/hwperf_call.h"
#include "irix/hwperf_process.h"
#include "irix/hwperf_prusage.h"
#include "irix/hwperf_setup.h"
#include "irix/hwperf_system.h"
#include "irix/hwperf_table.h"

/* With kernel mode, the counters are acquired for all CPUs, without force. */
static int start(int handle, const hwperf_profevctrarg_t *arg)
{
	pid_t tid, pid;
	uint64_t born;

	if (!hwperf_arg_is_system(arg))
		return hwperf_process_start(handle, arg);
	if (hwperf_table_identify(handle, &tid, &pid, &born) == -1)
		return -1;
	const int rc = hwperf_system_start(arg, 0);
	if (rc != -1 && hwperf_process_set_system(handle) == -1) {
		const int e = errno;

		hwperf_system_release();
		errno = e;
		return -1;
	}
	return rc;
}

static int modify(int handle, const hwperf_profevctrarg_t *arg)
{
	return hwperf_process_is_system(handle) ? hwperf_system_modify(arg)
						: hwperf_process_modify(handle, arg);
}

static int get_values(int handle, hwperf_values_t *values)
{
	return hwperf_process_is_system(handle) ? hwperf_system_values(values)
						: hwperf_process_values(handle, values);
}

static int get_control(int handle, hwperf_eventctrl_t *ctrl)
{
	return hwperf_process_is_system(handle) ? hwperf_system_control(ctrl)
						: hwperf_process_control(handle, ctrl);
}

static int release(int handle)
{
	return hwperf_process_is_system(handle) ? hwperf_system_release()
						: hwperf_process_release(handle);
}

static int get_counters(int handle, hwperf_cntr_t *counters)
{
	hwperf_values_t values;
	const int rc = get_values(handle, &values);

	if (rc != -1)
		hwperf_values_counters(&values, counters);
	return rc;
}

static int get_prusage(int handle, hwperf_prusage_t *usage)
{
	hwperf_cntr_t counters;
	const int rc = get_counters(handle, &counters);

	if (rc == -1 || hwperf_prusage(handle, usage) == -1)
		return -1;
	usage->pu_cpu_mon.cm_cntrs = counters;
	return rc;
}

/* Commands with an argument, which the caller must not leave out. */
static int with_argument(int handle, int cmd, void *arg)
{
	if (!arg) {
		errno = EINVAL;
		return -1;
	}
	switch (cmd) {
	case PIOCENEVCTRS:
		return start(handle, arg);
	case PIOCGETEVCTRS:
		return get_counters(handle, arg);
	case PIOCGETPREVCTRS:
		return get_prusage(handle, arg);
	case PIOCGETEVCTRL:
		return get_control(handle, arg);
	case PIOCSETEVCTRL:
		return modify(handle, arg);
	case PIOCGETEVVALS:
		return get_values(handle, arg);
	case PIOCSETEVRULE:
		return hwperf_process_rule(handle, *(const int *)arg);
	case PIOCSETEVNAME:
		return hwperf_process_name(handle, arg);
	}
	errno = EINVAL;
	return -1;
}

static int command(int handle, int cmd, va_list ap)
{
	if (cmd == PIOCRELEVCTRS)
		return release(handle);
	if (cmd == PIOCSAVECCNTRS)
		return hwperf_process_save(handle);
	return with_argument(handle, cmd, va_arg(ap, void *));
}

int hwperf_ioctl(int handle, int cmd, ...)
{
	va_list ap;

	if (hwperf_call_begin() == -1)
		return -1;
	va_start(ap, cmd);
	const int rc = command(handle, cmd, ap);
	va_end(ap);
	hwperf_call_end();
	return rc;
}
