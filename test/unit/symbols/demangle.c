#include "symbols/demangle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/*
 * Sources: the C++ ABI of Itanium, 5.1.8; Rust RFC 2603 (names that begin with "_R"),
 * and rustc's older names, which end with a hash.
 */
static const struct {
	int line;
	const char *name, *shown;
} names[] = {
	{__LINE__, "main", "main"},
	{__LINE__, "", ""},
	{__LINE__, "_", "_"},
	{__LINE__, "_Z", "_Z"},
	{__LINE__, "_Zx", "_Zx"},
	{__LINE__, "_R", "_R"},
	{__LINE__, "_Z3foov", "foo()"},
	{__LINE__, "_ZN1N1fEv", "N::f()"},
	{__LINE__, "_Z5firstI3DuoEvS0_", "void first<Duo>(Duo)"},
	{__LINE__, "_ZN3Duo7compareIiEEbT_S1_", "bool Duo::compare<int>(int, int)"},
	{__LINE__, "_ZN9wikipedia7article8print_toERSo",
	 "wikipedia::article::print_to(std::ostream&)"},
	{__LINE__, "_ZNK6shapes6circle4areaEd", "shapes::circle::area(double) const"},
	{__LINE__, "_ZZ4mainENKUlvE_clEv", "main::{lambda()#1}::operator()() const"},
	{__LINE__, "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE",
	 "core::fmt::Write::write_fmt"},
	{__LINE__, "_ZN3foo3barE", "foo::bar"},
	{__LINE__, "_RNvC7mycrate3foo", "mycrate::foo"},
	{__LINE__, "_RNvNtC7mycrate3foo3bar", "mycrate::foo::bar"},
	{__LINE__, "_RNvC6_123foo3bar", "123foo::bar"},
	{__LINE__, "_RINvNtC3std3mem8align_ofjE", "std::mem::align_of::<usize>"},
};

static void test_names(void **state)
{
	struct strings strings = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *const shown = demangle(names[i].name, &strings);

		if (strcmp(shown, names[i].shown) != 0)
			fail_msg("line %d: %s", names[i].line, shown);
	}
	strings_free(&strings);
}

/* 25 substitutions, each of which is twice the one before: 2^25 words. */
static void test_explosion(void **state)
{
	struct strings strings = {0};
	char name[400] = "_Z1f1PI1AS0_E";
	size_t n;

	(void)state;
	for (unsigned i = 1; i < 25; i++) {
		n = strlen(name);
		snprintf(name + n, sizeof(name) - n, "S_IS%c_S%c_E",
			 "0123456789ABCDEFGHIJKLMNOPQ"[i],
			 "0123456789ABCDEFGHIJKLMNOPQ"[i]);
	}
	assert_string_equal(demangle(name, &strings), name);
	strings_free(&strings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_explosion),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
