// Counts 1000 calls of a function; the session and all that it owns end with their scope.
#include <libcpc.h>

#include <cstdint>
#include <cstdio>
#include <iostream>
#include <memory>
#include <system_error>

static __attribute__((noinline)) void step()
{
	__asm__ volatile("" ::: "memory");
}

// Returns the result of a call; throws errno if it is -1.
static int check(int result, const char *what)
{
	if (result == -1)
		throw std::system_error(errno, std::generic_category(), what);
	return result;
}

int main()
{
	const std::unique_ptr<cpc_t, decltype(&cpc_close)> cpc(cpc_open(CPC_VER_CURRENT),
							       cpc_close);
	cpc_set_t *set = cpc_set_create(cpc.get());
	char event[40];
	std::uint64_t count = 0;

	std::snprintf(event, sizeof event, "mem:%p:x", reinterpret_cast<void *>(step));
	check(cpc_set_add_request(cpc.get(), set, event, 0, CPC_COUNT_USER, 0, nullptr),
	      "request");
	cpc_buf_t *buf = cpc_buf_create(cpc.get(), set);
	check(cpc_bind_curlwp(cpc.get(), set, 0), "bind");
	for (int i = 0; i < 1000; i++)
		step();
	check(cpc_set_sample(cpc.get(), set, buf), "sample");
	check(cpc_buf_get(cpc.get(), buf, 0, &count), "get");
	std::cout << count << '\n';
}
