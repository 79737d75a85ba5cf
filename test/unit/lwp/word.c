#include <lwp.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct {
	int line;
	lwp_word_t word;
	uint32_t value;
	const char *text; /* as lwp_word_format() writes it */
} both[] = {
	{__LINE__, LWP_WORD_FLAGS, 0, "0"},
	{__LINE__, LWP_WORD_FLAGS, LWP_FLAG(LWP_EVENT_DME), "dme"},
	{__LINE__, LWP_WORD_FLAGS, 0x8000007e, "val,ire,bre,dme,cnh,rnh,int"},
	{__LINE__, LWP_WORD_FLAGS, LWP_FLAG_CONT | LWP_FLAG_PTSC, "cont,ptsc"},
	{__LINE__, LWP_WORD_FLAGS, 0x81, "0x81"},
	{__LINE__, LWP_WORD_FLAGS, 0x83, "val,0x81"},
	{__LINE__, LWP_WORD_FILTERS, 0, "0"},
	{__LINE__, LWP_WORD_FILTERS, 4, "minlatency=64"},
	{__LINE__, LWP_WORD_FILTERS, 0xff, "minlatency=4080"},
	{__LINE__, LWP_WORD_FILTERS, LWP_FILTER_NAB | LWP_FILTER_NRB, "nab,nrb"},
	{__LINE__, LWP_WORD_FILTERS, UINT32_MAX,
	 "minlatency=4080,clf,nbc,rdc,ram,oth,nmb,npb,nab,ncb,nrb,ipi,ipf,0x1ffe000"},
	{__LINE__, LWP_WORD_BRE, LWP_BRE_TKN | LWP_BRE_FUS, "fus,tkn"},
	{__LINE__, LWP_WORD_BRE, 0xf000, "fus,prv,prd,tkn"},
	{__LINE__, LWP_WORD_DME, 0x7000, "dav,0x6000"},
};

static void both_ways(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof(both) / sizeof(*both); k++) {
		char text[100];
		uint32_t value = 77;
		const size_t n =
			lwp_word_format(text, sizeof(text), both[k].word, both[k].value);

		if (n != strlen(both[k].text) || strcmp(text, both[k].text) != 0)
			fail_msg("line %d: %s", both[k].line, text);
		assert_int_equal(lwp_word_parse(&value, both[k].word, text), 0);
		assert_int_equal(value, both[k].value);
		for (size_t size = 0; size < n; size++) {
			memset(text, '~', sizeof(text));
			assert_int_equal(
				lwp_word_format(text, size, both[k].word, both[k].value),
				n);
			if (size)
				assert_int_equal(strlen(text), size - 1);
			assert_int_equal(text[size], '~');
		}
	}
}

static const struct {
	int line;
	lwp_word_t word;
	const char *text;
	int64_t want; /* -1: EINVAL */
} parsed[] = {
	{__LINE__, LWP_WORD_FLAGS, "DME,dme,Int", 0x80000010},
	{__LINE__, LWP_WORD_FLAGS, "0x10", 0x10},
	{__LINE__, LWP_WORD_FLAGS, "16,val", 0x12},
	{__LINE__, LWP_WORD_FLAGS, "9,val", 0xb},
	{__LINE__, LWP_WORD_FLAGS, "0xffffffff", UINT32_MAX},
	{__LINE__, LWP_WORD_FILTERS, "ipf,MinLatency=16", 0x80000001},
	{__LINE__, LWP_WORD_FILTERS, "minlatency=0x20", 2},
	{__LINE__, LWP_WORD_FILTERS, "minlatency=0", 0},
	{__LINE__, LWP_WORD_FLAGS, "", -1},
	{__LINE__, LWP_WORD_FLAGS, "dme,", -1},
	{__LINE__, LWP_WORD_FLAGS, ",dme", -1},
	{__LINE__, LWP_WORD_FLAGS, "dm", -1},
	{__LINE__, LWP_WORD_FLAGS, "ipf", -1},
	{__LINE__, LWP_WORD_FLAGS, "minlatency=16", -1},
	{__LINE__, LWP_WORD_FLAGS, "-1", -1},
	{__LINE__, LWP_WORD_FLAGS, " 1", -1},
	{__LINE__, LWP_WORD_FLAGS, "1x", -1},
	{__LINE__, LWP_WORD_FLAGS, "0x100000000", -1},
	{__LINE__, LWP_WORD_FLAGS, "99999999999999999999", -1},
	{__LINE__, LWP_WORD_FILTERS, "minlatency=", -1},
	{__LINE__, LWP_WORD_FILTERS, "minlatency=8", -1},
	{__LINE__, LWP_WORD_FILTERS, "minlatency=4096", -1},
	{__LINE__, LWP_WORD_FILTERS, "minlatency=-16", -1},
	{__LINE__, LWP_WORD_FILTERS, "minlatency=,16", -1},
};

static void parse(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof(parsed) / sizeof(*parsed); k++) {
		uint32_t value = 77;

		errno = 0;
		const int rc = lwp_word_parse(&value, parsed[k].word, parsed[k].text);
		const int64_t want = parsed[k].want;

		if (rc != (want < 0 ? -1 : 0) || value != (want < 0 ? 77 : want) ||
		    (want < 0 && errno != EINVAL))
			fail_msg("line %d: %d, 0x%x", parsed[k].line, rc, value);
	}
}

static void bits(void **state)
{
	(void)state;
	assert_string_equal(lwp_bit_name(LWP_WORD_FLAGS, 31), "int");
	assert_string_equal(lwp_bit_name(LWP_WORD_BRE, 15), "tkn");
	assert_null(lwp_bit_name(LWP_WORD_FLAGS, 0));
	assert_null(lwp_bit_name(LWP_WORD_FLAGS, 32));
	assert_null(lwp_bit_name(LWP_WORD_DME + 1, 12));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_ways),
		cmocka_unit_test(parse),
		cmocka_unit_test(bits),
	};

	return cmocka_run_group_tests_name("lwp word", tests, NULL, NULL);
}
