#include "irix/hwperf_call.h"

#include <errno.h>
#include <signal.h>

/* The initial-exec model never allocates memory in a handler. */
static _Thread_local volatile sig_atomic_t is_inside
	__attribute__((tls_model("initial-exec")));

int hwperf_call_begin(void)
{
	if (is_inside) {
		errno = EDEADLK;
		return -1;
	}
	is_inside = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return 0;
}

void hwperf_call_end(void)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	is_inside = 0;
}
