#include "engine/kernel/breakpoint.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { R = 1, W = 2, RW = 3, X = 4, TYPE_BREAKPOINT = 5 };

static const struct {
	int line;
	const char *name;
	uint32_t bp_type; /* 0: refused */
	uint64_t addr, len;
	const char *text; /* part of the refusal */
} cases[] = {
	{__LINE__, "mem:0x1000", RW, 0x1000, 8, NULL},
	{__LINE__, "mem:4096:x", X, 4096, sizeof(long), NULL},
	{__LINE__, "mem:010:w", W, 8, 8, NULL},
#ifdef __aarch64__
	{__LINE__, "mem:0x1002:x", 0, 0, 0, "begin at multiples of 4"},
#else
	{__LINE__, "mem:0x1001:x", X, 0x1001, sizeof(long), NULL},
#endif
	{__LINE__, "mem:0x1001/1", RW, 0x1001, 1, NULL},
	{__LINE__, "mem:0x1002/2:r", R, 0x1002, 2, NULL},
	{__LINE__, "mem:0x1004/4:rw", RW, 0x1004, 4, NULL},
	{__LINE__, "mem:0xffffffffffffff00/0x8:w", W, 0xffffffffffffff00, 8, NULL},
	{__LINE__, "mem:", 0, 0, 0, "no 64-bit address and no name"},
	{__LINE__, "mem::x", 0, 0, 0, "no 64-bit address and no name"},
	{__LINE__, "mem:-4", 0, 0, 0, "no 64-bit address and no name"},
	{__LINE__, "mem: 4", 0, 0, 0, "no 64-bit address and no name"},
	{__LINE__, "mem:main", RW, 0, 8, NULL},
	{__LINE__, "mem:main:x", X, 0, sizeof(long), NULL},
	{__LINE__, "mem:_ZN1S1fEi/4:w", W, 0, 4, NULL},
	{__LINE__, "mem:main/3:w", 0, 0, 0, "must be 1, 2, 4 or 8, not 3"},
	{__LINE__, "mem:main/4:x", 0, 0, 0,
	 "the length of an execution breakpoint is always"},
	{__LINE__, "mem:main:", 0, 0, 0, "unknown access ''"},
	{__LINE__, "mem:0x10000000000000000", 0, 0, 0, "no 64-bit address and no name"},
	{__LINE__, "mem:8/", 0, 0, 0, "no length after '/'"},
	{__LINE__, "mem:8/w", 0, 0, 0, "no length after '/'"},
	{__LINE__, "mem:8/3", 0, 0, 0, "must be 1, 2, 4 or 8, not 3"},
	{__LINE__, "mem:8/0", 0, 0, 0, "must be 1, 2, 4 or 8, not 0"},
	{__LINE__, "mem:16/16", 0, 0, 0, "must be 1, 2, 4 or 8, not 16"},
	{__LINE__, "mem:0x1004", 0, 0, 0, "write mem:0x1004/4"},
	{__LINE__, "mem:0x1006/4:w", 0, 0, 0, "write mem:0x1006/2"},
	{__LINE__, "mem:8:", 0, 0, 0, "unknown access ''"},
	{__LINE__, "mem:8:wr", 0, 0, 0, "unknown access 'wr'"},
	{__LINE__, "mem:8:x:u", 0, 0, 0, "unknown access 'x:u'"},
	{__LINE__, "mem:8/1:xw", 0, 0, 0, "unknown access 'xw'"},
	{__LINE__, "mem:8/1:x", 0, 0, 0,
	 "the length of an execution breakpoint is always"},
	{__LINE__, "mem:8g", 0, 0, 0, "unexpected 'g' at the end"},
	{__LINE__, "mem:8/4g", 0, 0, 0, "unexpected 'g' at the end"},
};

static void parses(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct kernel_event ev;
		struct why why = {""};
		errno = 0;
		const int rc = kernel_breakpoint_parse(cases[i].name, &ev, &why);
		const int good = cases[i].bp_type
					 ? rc == 0 && ev.type == TYPE_BREAKPOINT &&
						   ev.bp_type == cases[i].bp_type &&
						   ev.named == !cases[i].addr &&
						   ev.config[1] == cases[i].addr &&
						   ev.config[2] == cases[i].len
					 : rc == -1 && errno == EINVAL &&
						   strstr(why.text, cases[i].name) &&
						   strstr(why.text, cases[i].text);
		if (!good)
			fail_msg("line %d: rc %d, '%s'", cases[i].line, rc, why.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
