// Calls a function 1000 times in regions, which end with their scopes.
#include <opencpc.h>

#include <cstdio>
#include <stdexcept>

static __attribute__((noinline)) void step()
{
	__asm__ volatile("" ::: "memory");
}

static void steps()
{
	const cpc::region r("steps");

	for (int i = 0; i < 1000; i++)
		step();
	throw std::runtime_error("the region ends all the same");
}

int main()
{
	char event[40];

	std::sprintf(event, "mem:%p:x", reinterpret_cast<void *>(step));
	if (cpc_region_events(event) == -1)
		return 1;
	const cpc::region r("outer");
	try {
		steps();
	} catch (const std::runtime_error &) {
		return 0;
	}
	return 1;
}
