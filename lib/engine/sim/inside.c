#include "engine/sim/inside.h"

#include "sim/shared/pages.h"

/* Valgrind's header defines how a program sends requests; it may not be installed. */
#if defined(__x86_64__) && __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>

uint64_t sim_inside_send(enum sim_request request, uint64_t a, uint64_t b, uint64_t c)
{
	return VALGRIND_DO_CLIENT_REQUEST_EXPR(0, request, a, b, c, 0, 0);
}

int sim_inside_valgrind(void)
{
	return RUNNING_ON_VALGRIND != 0;
}
#else
uint64_t sim_inside_send(enum sim_request request, uint64_t a, uint64_t b, uint64_t c)
{
	(void)request;
	(void)a;
	(void)b;
	(void)c;
	return 0;
}

int sim_inside_valgrind(void)
{
	return 0;
}
#endif

int sim_inside(void)
{
	return sim_inside_send(SIM_REQUEST_VERSION, 0, 0, 0) == PAGES_VERSION;
}

int sim_inside_read(uint64_t *count)
{
	return sim_inside_send(SIM_REQUEST_READ, (uintptr_t)count, PAGES_COUNTERS, 0)
		       ? 0
		       : -1;
}

int sim_inside_add(uint64_t counters)
{
	return sim_inside_send(SIM_REQUEST_ADD, counters, 0, 0) ? 0 : -1;
}

int sim_inside_machine(struct machine *m)
{
	return (int)sim_inside_send(SIM_REQUEST_MACHINE, (uintptr_t)m, 0, 0);
}
