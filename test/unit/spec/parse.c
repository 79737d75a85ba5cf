#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The parser is compiled into this test, which counts its allocations and lets them fail
 * after allow allocations, or never if allow is negative.
 */
static int allow = -1, live;

static int granted(void)
{
	if (!allow) {
		errno = ENOMEM;
		return 0;
	}
	allow -= allow > 0;
	return 1;
}

static void *test_calloc_some(size_t n, size_t size)
{
	void *const p = granted() ? calloc(n, size) : NULL;

	live += !!p;
	return p;
}

static void *test_reallocarray_some(void *old, size_t n, size_t size)
{
	void *const p = granted() ? reallocarray(old, n, size) : NULL;

	live += p && !old;
	return p;
}

static char *test_strndup_some(const char *s, size_t n)
{
	char *const p = granted() ? strndup(s, n) : NULL;

	live += !!p;
	return p;
}

static void test_free_counted(void *p)
{
	live -= !!p;
	free(p);
}

#undef strndup
#define calloc	     test_calloc_some
#define reallocarray test_reallocarray_some
#define strndup	     test_strndup_some
#define free	     test_free_counted
#include "base/array.c"
#include "spec/fill.c"
#include "spec/parse.c"
#undef calloc
#undef reallocarray
#undef strndup
#undef free

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* The events and attributes of the cases. */
static const struct {
	const char *name;
	uint64_t pics;
} events[] = {
	{"A", 3},
	{"B", 1},
	{"C", 2},
	{"AD", 9},
	{"ANY", UINT64_MAX},
	{"HIGH", UINT64_C(1) << 63},
	{"NO", 0},
	{"edge", UINT64_MAX},
	{"sys", UINT64_MAX},
	{"sys2", UINT64_MAX},
	{"pic0", UINT64_MAX},
	{"12", UINT64_MAX},
	{"0x3c", UINT64_MAX},
	{"0", UINT64_MAX},
	{"PAPI_tot_cyc", 3},
	{"32_BYTE_INSTRUCTION_CACHE_FETCH", 3},
	{"perf::L1-DCACHE-LOADS", 3},
	{"BR_INST:COND:c=4", 3},
	{"cpu/event=0x3c,umask=1/", 3},
	{"cpu/config=1,a=2/u", 3},
	{"cpu/config=1/,A", 3},
	{"msr/tsc/", 3},
	{"mem:0x401136/8:rw", 3},
	{"mem:0x401136:x", 3},
	{"a=b", UINT64_MAX},
	{"x/y/=1", UINT64_MAX},
};

static const struct {
	const char *name;
	struct spec_attr attr;
} attrs[] = {
	{"umask", {0}},
	{"cmask", {0}},
	{"inv", {0}},
	{"edge", {0}},
	{"l2", {0}},
	{"l", {0}},
	{"l21", {0}},
	{"picnum", {0}},
	{"nouser", {0}},
	{"a234567890123456789012345678901", {0}},
	{"a2345678901234567890123456789012", {0}},
	/* attributes of the whole set, and with other forms of values */
	{"one", {.of_set = 1}},
	{"opc8", {.form = SPEC_OPCODE, .of_set = 1, .times = 1}},
	{"opc", {.form = SPEC_OPCODE}},
	{"code", {.form = SPEC_RANGE, .of_set = 1, .times = 2}},
	{"own", {.form = SPEC_RANGE}},
};

static int know_event(void *arg, const char *name, uint64_t *pics)
{
	assert_string_equal(arg, "arg");
	assert_true(strlen(name) < CPC_MAX_EVENT_LEN);
	errno = EIO;
	if (strspn(name, "e") == CPC_MAX_EVENT_LEN - 1) {
		*pics = UINT64_MAX;
		return 0;
	}
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++) {
		if (!strcmp(events[i].name, name)) {
			*pics = events[i].pics;
			return 0;
		}
	}
	return -1;
}

static int know_attr(void *arg, const char *name, struct spec_attr *attr)
{
	assert_string_equal(arg, "arg");
	assert_true(strlen(name) < CPC_MAX_ATTR_LEN);
	assert_true(!attr->form && !attr->of_set && !attr->times);
	errno = EIO;
	for (size_t i = 0; i < sizeof(attrs) / sizeof(*attrs); i++)
		if (!strcmp(attrs[i].name, name)) {
			*attr = attrs[i].attr;
			return 1;
		}
	return 0;
}

/*
 * Print "pic0=A@1u umask=0x1 | pic1=...", with the column of the event and u, s for
 * modes.
 */
static void show_spec(const struct spec *s, FILE *f)
{
	for (unsigned i = 0; i < s->n; i++) {
		const struct spec_req *const r = &s->req[i];

		fprintf(f, "%spic%u=%s@%u%s%s", i ? " | " : "", r->pic, r->event,
			r->column, r->flags & CPC_COUNT_USER ? "u" : "",
			r->flags & CPC_COUNT_SYSTEM ? "s" : "");
		if (r->pics != engine_pic_bit(r->pic))
			fprintf(f, " of %#" PRIx64, r->pics);
		if (r->flags & ~(CPC_COUNT_USER | CPC_COUNT_SYSTEM))
			fprintf(f, "flags %#x", r->flags);
		for (unsigned a = 0; a < r->nattrs; a++)
			fprintf(f, " %s=%#" PRIx64, r->attrs[a].ca_name,
				r->attrs[a].ca_val);
	}
}

/* Parse text and return the requests, or "COLUMN: TEXT [TOKEN]" for an error. */
static const char *parsed_by(const struct spec_names *names, const char *text, char *buf,
			     size_t size)
{
	struct spec_error err;
	FILE *const f = fmemopen(buf, size, "w");

	assert_non_null(f);
	*buf = '\0';
	memset(&err, '#', sizeof(err));
	errno = 0;
	struct spec *const s = spec_parse(text, names, &err);
	const int e = errno;

	if (s)
		show_spec(s, f);
	else if (e == EINVAL)
		fprintf(f, "%u: %s [%s]", err.column, err.text, err.token);
	else
		fprintf(f, "errno %d, %u: %s [%s]", e, err.column, err.text, err.token);
	fclose(f);
	spec_free(s);
	return buf;
}

static const char *parsed(unsigned npic, const char *text, char *buf, size_t size)
{
	const struct spec_names names = {
		.npic = npic, .arg = "arg", .event = know_event, .attr = know_attr};

	return parsed_by(&names, text, buf, size);
}

struct spec_case {
	int line;
	unsigned npic;
	const char *text, *want;
};

static const struct spec_case good[] = {
	{__LINE__, 2, "", ""},
	{__LINE__, 0, "", ""},
	{__LINE__, 2, "sys,umask=3,inv1=2", ""},
	{__LINE__, 2, "A", "pic0=A@1u"},
	/* more counters than bits in a mask: those from 63 on are alike */
	{__LINE__, 256, "pic63=ANY,ANY", "pic63=ANY@7u | pic64=ANY@11u"},
	{__LINE__, 256, "pic255=ANY,pic64=ANY,pic9=ANY,sys255,nouser64,sys64=1",
	 "pic9=ANY@27u | pic64=ANY@18s | pic255=ANY@8us"},
	{__LINE__, 300, "pic254=ANY,ANY", "pic254=ANY@8u | pic255=ANY@12u"},
	{__LINE__, 2, "A,", "pic0=A@1u"},
	{__LINE__, 2, "pic1=A", "pic1=A@6u"},
	{__LINE__, 2, "A,C", "pic0=A@1u | pic1=C@3u"},
	{__LINE__, 2, "B,A", "pic0=B@1u | pic1=A@3u"},
	{__LINE__, 2, "C,pic0=A", "pic0=A@8u | pic1=C@1u"},
	{__LINE__, 2, "pic1=A,pic0=B", "pic0=B@13u | pic1=A@6u"},
	{__LINE__, 4, "pic2=ANY,pic0=A,AD", "pic0=A@15u | pic2=ANY@6u | pic3=AD@17u"},
	{__LINE__, 4, "A,AD", "pic0=A@1u | pic3=AD@3u"},
	{__LINE__, 64, "pic62=ANY,HIGH", "pic62=ANY@7u | pic63=HIGH@11u"},
	{__LINE__, 64, "pic63=ANY,sys63", "pic63=ANY@7us"},
	/* a name is compared exactly, and may look like a number */
	{__LINE__, 2, "0x3c,0", "pic0=0x3c@1u | pic1=0@6u"},
	{__LINE__, 2, "12", "pic0=12@1u"},
	{__LINE__, 2, "PAPI_tot_cyc,32_BYTE_INSTRUCTION_CACHE_FETCH",
	 "pic0=PAPI_tot_cyc@1u | pic1=32_BYTE_INSTRUCTION_CACHE_FETCH@14u"},
	/* modes */
	{__LINE__, 2, "A,A,sys", "pic0=A@1us | pic1=A@3us"},
	{__LINE__, 2, "sys,A,A", "pic0=A@5us | pic1=A@7us"},
	{__LINE__, 2, "A,A,sys1", "pic0=A@1u | pic1=A@3us"},
	{__LINE__, 2, "A,A,nouser0,sys", "pic0=A@1s | pic1=A@3us"},
	{__LINE__, 2, "A,nouser", "pic0=A@1"},
	{__LINE__, 2, "A,nouser=0,sys=what,sys=", "pic0=A@1s"},
	{__LINE__, 2, "A,sys,sys0,sys", "pic0=A@1us"},
	/* attributes */
	{__LINE__, 2, "A,A,umask=0x10", "pic0=A@1u umask=0x10 | pic1=A@3u umask=0x10"},
	{__LINE__, 2, "A,A,inv1=010,l2", "pic0=A@1u l2=0x1 | pic1=A@3u inv=0x8 l2=0x1"},
	{__LINE__, 2, "umask0=1,l2=2,A,inv0", "pic0=A@15u umask=0x1 l2=0x2 inv=0x1"},
	{__LINE__, 2, "A,umask1=7,umask1=8", "pic0=A@1u"},
	{__LINE__, 2, "pic1=A,umask0=7,umask=8", "pic1=A@6u umask=0x8"},
	{__LINE__, 2, "A,umask=-1", "pic0=A@1u umask=0xffffffffffffffff"},
	{__LINE__, 2, "A,umask=+5", "pic0=A@1u umask=0x5"},
	{__LINE__, 2, "A,umask=0", "pic0=A@1u umask=0"},
	{__LINE__, 2, "A,l2=9223372036854775807", "pic0=A@1u l2=0x7fffffffffffffff"},
	{__LINE__, 2, "A,l2=-9223372036854775808", "pic0=A@1u l2=0x8000000000000000"},
	{__LINE__, 2, "A,a234567890123456789012345678901=2",
	 "pic0=A@1u a234567890123456789012345678901=0x2"},
	/*
	 * if a name ends in digits, the longest attribute wins; the rest is the counter
	 */
	{__LINE__, 4, "A,l2=5", "pic0=A@1u l2=0x5"},
	{__LINE__, 4, "A,ANY,l20=5,l1=6", "pic0=A@1u l2=0x5 | pic1=ANY@3u l=0x6"},
	{__LINE__, 4, "A,ANY,l21=5", "pic0=A@1u l21=0x5 | pic1=ANY@3u l21=0x5"},
	{__LINE__, 16, "pic12=ANY,l12=5,pic2=ANY,l212",
	 "pic2=ANY@22u l21=0x1 | pic12=ANY@7u l=0x5"},
	/* a name of an event and a token is the token, except after picN= */
	{__LINE__, 2, "A,edge", "pic0=A@1u edge=0x1"},
	{__LINE__, 2, "pic0=edge,edge", "pic0=edge@6u edge=0x1"},
	{__LINE__, 2, "pic1=sys", "pic1=sys@6u"},
	{__LINE__, 2, "pic1=pic0", "pic1=pic0@6u"},
	{__LINE__, 2, "sys2", "pic0=sys2@1u"},
	{__LINE__, 4, "sys2,pic2=ANY", "pic2=ANY@11us"},
	/* names with ':', '=' and "/.../" */
	{__LINE__, 2, "perf::L1-DCACHE-LOADS,sys", "pic0=perf::L1-DCACHE-LOADS@1us"},
	{__LINE__, 2, "BR_INST:COND:c=4,A", "pic0=BR_INST:COND:c=4@1u | pic1=A@18u"},
	{__LINE__, 2, "pic1=BR_INST:COND:c=4", "pic1=BR_INST:COND:c=4@6u"},
	{__LINE__, 2, "cpu/event=0x3c,umask=1/,A",
	 "pic0=cpu/event=0x3c,umask=1/@1u | pic1=A@25u"},
	{__LINE__, 2, "pic1=cpu/config=1,a=2/u,sys", "pic1=cpu/config=1,a=2/u@6us"},
	{__LINE__, 2, "msr/tsc/,pic1=msr/tsc/", "pic0=msr/tsc/@1u | pic1=msr/tsc/@15u"},
	{__LINE__, 2, "mem:0x401136/8:rw,mem:0x401136:x",
	 "pic0=mem:0x401136/8:rw@1u | pic1=mem:0x401136:x@19u"},
	{__LINE__, 2, "pic1=mem:0x401136/8:rw,sys1", "pic1=mem:0x401136/8:rw@6us"},
};

/* Attributes of the whole set, and values that are not numbers. */
static const struct spec_case set_good[] = {
	{__LINE__, 2, "A,A,one", "pic0=A@1u one=0x1 | pic1=A@3u one=0x1"},
	{__LINE__, 2, "one=3,A,umask=2,A",
	 "pic0=A@7u one=0x3 umask=0x2 | pic1=A@17u one=0x3 umask=0x2"},
	{__LINE__, 2, "A,code=0x1000-0x2000", "pic0=A@1u code=0x1000 code=0x2000"},
	{__LINE__, 2, "code=16-32,A,one,code=0-0xffffffffffffffff",
	 "pic0=A@12u code=0x10 code=0x20 one=0x1 code=0 code=0xffffffffffffffff"},
	{__LINE__, 2, "A,A,own1=010-9", "pic0=A@1u | pic1=A@3u own=0x8 own=0x9"},
	{__LINE__, 2, "code=1-2", ""},
	/* the longest name wins, and it takes no counter number */
	{__LINE__, 9, "A,opc8=5", "pic0=A@1u opc8=0x5"},
	{__LINE__, 9, "pic8=ANY,opc8=5", "pic8=ANY@6u opc8=0x5"},
	{__LINE__, 9, "pic7=ANY,opc7=5", "pic7=ANY@6u opc=0x5"},
	{__LINE__, 2, "A,opc8=0xffffffffffffffff", "pic0=A@1u opc8=0xffffffffffffffff"},
	{__LINE__, 2, "A,opc=0", "pic0=A@1u opc=0"},
	{__LINE__, 2, "A,opc=m:0:0", "pic0=A@1u opc=0x8000000000000000"},
	{__LINE__, 2, "A,opc=i:0:0", "pic0=A@1u opc=0x4000000000000000"},
	{__LINE__, 2, "A,opc=f:0:0", "pic0=A@1u opc=0x2000000000000000"},
	{__LINE__, 2, "A,opc=b:0:0", "pic0=A@1u opc=0x1000000000000000"},
	{__LINE__, 2, "A,opc=:0:0", "pic0=A@1u opc=0xf000000000000000"},
	{__LINE__, 2, "A,opc=MfB:1:0", "pic0=A@1u opc=0xb000000200000000"},
	{__LINE__, 2, "A,opc=:0x7ffffff:07", "pic0=A@1u opc=0xfffffffe00000038"},
	{__LINE__, 2, "A,opc=:0:0x7ffffff", "pic0=A@1u opc=0xf00000003ffffff8"},
};

#define RANGE_RIGHT \
	"write START-END; END is above START and is the first address after the range"
#define OPCODE_RIGHT \
	"write a number of 64 bits, or [mifb]:match:mask with numbers of 27 bits"

static const struct spec_case set_bad[] = {
	{__LINE__, 2, "A,one0",
	 "3: bad token 'one0'; attribute 'one' applies to the whole set and takes no "
	 "counter number []"},
	{__LINE__, 2, "A,one1=2",
	 "3: bad token 'one1=2'; attribute 'one' applies to the whole set and takes no "
	 "counter number []"},
	{__LINE__, 9, "A,opc88=1",
	 "3: bad token 'opc88=1'; attribute 'opc8' applies to the whole set and takes no "
	 "counter number []"},
	{__LINE__, 2, "A,one2",
	 "3: bad token 'one2'; counters are numbered from 0 to 1 []"},
	{__LINE__, 2, "one,A,one=1",
	 "7: attribute 'one' is given twice; it applies to the whole set []"},
	{__LINE__, 2, "A,code=1-2,code=3-4,umask,code=5-6",
	 "27: attribute 'code' is given more than 2 times []"},
	{__LINE__, 2, "A,own=1-2,own0=3-4",
	 "11: attribute 'own' is given twice for pic0 []"},
	{__LINE__, 2, "A,code",
	 "7: invalid value '' for attribute 'code'; " RANGE_RIGHT " []"},
	{__LINE__, 2,
	 "A,code=", "8: invalid value '' for attribute 'code'; " RANGE_RIGHT " []"},
	{__LINE__, 2, "A,code=1",
	 "8: invalid value '1' for attribute 'code'; " RANGE_RIGHT " []"},
	{__LINE__, 2, "A,code=1-,one",
	 "8: invalid value '1-' for attribute 'code'; " RANGE_RIGHT " []"},
	{__LINE__, 2, "A,code=-2",
	 "8: invalid value '-2' for attribute 'code'; " RANGE_RIGHT " []"},
	{__LINE__, 2, "A,code=1--2",
	 "8: invalid value '1--2' for attribute 'code'; " RANGE_RIGHT " []"},
	{__LINE__, 2, "A,code=2-2",
	 "8: invalid value '2-2' for attribute 'code'; " RANGE_RIGHT " []"},
	{__LINE__, 2, "A,code=1-2x",
	 "8: invalid value '1-2x' for attribute 'code'; " RANGE_RIGHT " []"},
	{__LINE__, 2, "A,code=1-2-3",
	 "8: invalid value '1-2-3' for attribute 'code'; " RANGE_RIGHT " []"},
	{__LINE__, 2, "A,code=1-0x10000000000000000",
	 "8: invalid value '1-0x10000000000000000' for attribute 'code'; " RANGE_RIGHT
	 " []"},
	{__LINE__, 2, "A,opc",
	 "6: invalid value '' for attribute 'opc'; " OPCODE_RIGHT " []"},
	{__LINE__, 2, "A,opc=-1",
	 "7: invalid value '-1' for attribute 'opc'; " OPCODE_RIGHT " []"},
	{__LINE__, 2, "A,opc=1:2",
	 "7: invalid value '1:2' for attribute 'opc'; " OPCODE_RIGHT " []"},
	{__LINE__, 2, "A,opc=m:1",
	 "7: invalid value 'm:1' for attribute 'opc'; " OPCODE_RIGHT " []"},
	{__LINE__, 2, "A,opc=m::1",
	 "7: invalid value 'm::1' for attribute 'opc'; " OPCODE_RIGHT " []"},
	{__LINE__, 2, "A,opc=mx:1:2",
	 "7: invalid value 'mx:1:2' for attribute 'opc'; " OPCODE_RIGHT " []"},
	{__LINE__, 2, "A,opc=:0x8000000:0",
	 "7: invalid value ':0x8000000:0' for attribute 'opc'; " OPCODE_RIGHT " []"},
	{__LINE__, 2, "A,opc=:0:0x8000000",
	 "7: invalid value ':0:0x8000000' for attribute 'opc'; " OPCODE_RIGHT " []"},
	{__LINE__, 2, "A,opc=:1:2:3",
	 "7: invalid value ':1:2:3' for attribute 'opc'; " OPCODE_RIGHT " []"},
	{__LINE__, 2, "A,opc=0x10000000000000000",
	 "7: invalid value '0x10000000000000000' for attribute 'opc'; " OPCODE_RIGHT
	 " []"},
};

static const struct spec_case bad[] = {
	/* empty items and blanks */
	{__LINE__, 2, ",", "1: bad token '' []"},
	{__LINE__, 2, ",A", "1: bad token '' []"},
	{__LINE__, 2, "A,,", "3: bad token '' []"},
	{__LINE__, 2, "A,,C", "3: bad token '' []"},
	{__LINE__, 2, "A, C", "3: bad token ' C' [ C]"},
	{__LINE__, 2, "A ", "1: bad token 'A ' [A ]"},
	/* unknown names */
	{__LINE__, 2, "A,Q", "3: bad token 'Q' [Q]"},
	{__LINE__, 2, "a", "1: bad token 'a' [a]"},
	{__LINE__, 2, "A,Q=3", "3: bad token 'Q=3' [Q]"},
	{__LINE__, 2, "=", "1: bad token '=' []"},
	{__LINE__, 2, "=3", "1: bad token '=3' []"},
	{__LINE__, 2, "A,umask:=3", "3: bad token 'umask:=3' [umask:=3]"},
	{__LINE__, 2, "A=3", "1: bad token 'A=3'; 'A' is an event and takes no value []"},
	{__LINE__, 2, "a=b", "1: bad token 'a=b' [a]"},
	{__LINE__, 2, "x/y/=1", "1: bad token 'x/y/=1' [x/y/]"},
	{__LINE__, 2, "a2345678901234567890123456789012=1",
	 "1: bad token 'a2345678901234567890123456789012=1' "
	 "[a2345678901234567890123456789012]"},
	{__LINE__, 2, "A,picnum=1",
	 "3: bad token 'picnum=1'; write picN=event to choose a counter []"},
	{__LINE__, 2, "A,picnum",
	 "3: bad token 'picnum'; write picN=event to choose a counter []"},
	{__LINE__, 2, "A,picnum0=1", "3: bad token 'picnum0=1' [picnum0]"},
	{__LINE__, 0, "A", "1: bad token 'A'; no counter of this cpu can count it []"},
	/* picN= */
	{__LINE__, 2, "pic0", "1: missing 'pic0' value []"},
	{__LINE__, 2, "A,pic1=", "3: missing 'pic1' value []"},
	{__LINE__, 2, "A,pic0=A", "3: repeated 'pic0' token; pic0 already counts 'A' []"},
	{__LINE__, 2, "A,pic0=B", "3: repeated 'pic0' token; pic0 already counts 'A' []"},
	{__LINE__, 2, "A,pic0=", "3: repeated 'pic0' token; pic0 already counts 'A' []"},
	{__LINE__, 2, "A,pic1=Q", "8: pic1 cannot measure event 'Q' on this cpu [Q]"},
	{__LINE__, 2, "pic1=a=b", "6: pic1 cannot measure event 'a=b' on this cpu [a=b]"},
	{__LINE__, 2, "pic1=B",
	 "6: pic1 cannot measure event 'B' on this cpu; the event can be counted on pic0 "
	 "[]"},
	{__LINE__, 4, "pic2=AD",
	 "6: pic2 cannot measure event 'AD' on this cpu; the event can be counted on "
	 "pic0 and pic3 []"},
	{__LINE__, 2, "pic1=AD",
	 "6: pic1 cannot measure event 'AD' on this cpu; the event can be counted on "
	 "pic0 []"},
	{__LINE__, 2, "pic1=NO",
	 "6: pic1 cannot measure event 'NO' on this cpu; no counter can count it []"},
	{__LINE__, 2, "pic1=HIGH",
	 "6: pic1 cannot measure event 'HIGH' on this cpu; no counter can count it []"},
	{__LINE__, 2, "pic2",
	 "1: bad token 'pic2'; counters are numbered "
	 "from 0 to 1 []"},
	{__LINE__, 64, "pic64=A",
	 "1: bad token 'pic64=A'; counters are numbered from 0 to 63 []"},
	{__LINE__, 2, "pic00=A",
	 "1: bad token 'pic00=A'; counters are numbered from 0 to 1 []"},
	{__LINE__, 2, "pic4294967296=A",
	 "1: bad token 'pic4294967296=A'; counters are numbered from 0 to 1 []"},
	{__LINE__, 0, "pic0=A", "1: bad token 'pic0=A'; there are no counters []"},
	{__LINE__, 2, "pic=A", "1: bad token 'pic=A' [pic]"},
	{__LINE__, 2, "pic-1=A", "1: bad token 'pic-1=A' [pic-1]"},
	/* events without picN= go above all used counters */
	{__LINE__, 2, "pic1=A,B",
	 "8: bad token 'B'; only pic0 can count it, and "
	 "an event without picN= goes above all used counters: write pic0=B []"},
	{__LINE__, 2, "pic1=A,A",
	 "8: bad token 'A'; only pic0 and pic1 can count it, and "
	 "an event without picN= goes above all used counters: write pic0=A []"},
	{__LINE__, 2, "A,B",
	 "3: bad token 'B'; only pic0 can count it, and pic0 "
	 "already counts 'A' []"},
	{__LINE__, 2, "A,A,A", "5: bad token 'A'; all 2 counters are in use []"},
	{__LINE__, 64, "pic63=ANY,ANY",
	 "11: bad token 'ANY'; only pic0 to pic63 can count it, and "
	 "an event without picN= goes above all used counters: write pic0=ANY []"},
	{__LINE__, 64, "pic63=ANY,HIGH",
	 "11: bad token 'HIGH'; only pic63 can count it, and pic63 "
	 "already counts 'ANY' []"},
	{__LINE__, 2, "NO", "1: bad token 'NO'; no counter of this cpu can count it []"},
	/* counter numbers of modes and attributes */
	{__LINE__, 2, "sys3",
	 "1: bad token 'sys3'; counters are numbered "
	 "from 0 to 1 []"},
	{__LINE__, 2, "A,nouser2=1",
	 "3: bad token 'nouser2=1'; counters are numbered from 0 to 1 []"},
	{__LINE__, 2, "A,umask2=1",
	 "3: bad token 'umask2=1'; counters are numbered from 0 to 1 []"},
	{__LINE__, 2, "A,umask01=1",
	 "3: bad token 'umask01=1'; counters are numbered from 0 to 1 []"},
	/* values */
	{__LINE__, 2, "A,umask=", "9: invalid value '' for attribute 'umask' []"},
	{__LINE__, 2, "A,umask=,inv", "9: invalid value '' for attribute 'umask' []"},
	{__LINE__, 2, "A,umask0=x", "10: invalid value 'x' for attribute 'umask0' []"},
	{__LINE__, 2, "A,umask=5x,inv", "9: invalid value '5x' for attribute 'umask' []"},
	{__LINE__, 2, "A,umask=0x", "9: invalid value '0x' for attribute 'umask' []"},
	{__LINE__, 2, "A,umask=08", "9: invalid value '08' for attribute 'umask' []"},
	{__LINE__, 2, "A,umask=5 ", "9: invalid value '5 ' for attribute 'umask' []"},
	{__LINE__, 2, "A,umask=1=2", "9: invalid value '1=2' for attribute 'umask' []"},
	{__LINE__, 2, "A,umask=1:2", "9: invalid value '1:2' for attribute 'umask' []"},
	{__LINE__, 2, "A,umask=1/2,3", "9: invalid value '1/2' for attribute 'umask' []"},
	{__LINE__, 2, "A,umask=9223372036854775808",
	 "9: invalid value '9223372036854775808' for attribute 'umask' []"},
	{__LINE__, 2, "A,umask1=x", "10: invalid value 'x' for attribute 'umask1' []"},
	/* attributes that are given twice */
	{__LINE__, 2, "A,inv=1,l2,inv=1",
	 "12: attribute 'inv' is given twice for pic0 []"},
	{__LINE__, 2, "inv,inv1=2,B,A", "5: attribute 'inv' is given twice for pic1 []"},
	{__LINE__, 2, "umask1=2,umask,B,A,inv,inv",
	 "10: attribute 'umask' is given twice for pic1 []"},
	/* '/' */
	{__LINE__, 2, "A,cpu/event=1,a=2",
	 "6: there is no closing '/' in 'cpu/event=1,a=2' []"},
	{__LINE__, 2, "msr/tsc/,msr/tsc", "13: there is no closing '/' in 'msr/tsc' []"},
	{__LINE__, 2, "pic0=msr/tsc", "9: there is no closing '/' in 'pic0=msr/tsc' []"},
	{__LINE__, 2, "pic0=a=b/c", "9: there is no closing '/' in 'pic0=a=b/c' []"},
	{__LINE__, 2, "mem:0x401136/8:rw,A/", "20: there is no closing '/' in 'A/' []"},
};

static void run_cases(const struct spec_case *c, size_t n)
{
	char got[2048];

	for (size_t i = 0; i < n; i++)
		if (strcmp(parsed(c[i].npic, c[i].text, got, sizeof(got)), c[i].want))
			fail_msg("case of line %d: \"%s\" gives \"%s\"", c[i].line,
				 c[i].text, got);
	assert_int_equal(live, 0);
}

static void test_good(void **state)
{
	(void)state;
	run_cases(good, sizeof(good) / sizeof(*good));
}

static void test_bad(void **state)
{
	(void)state;
	run_cases(bad, sizeof(bad) / sizeof(*bad));
}

static void test_of_set(void **state)
{
	(void)state;
	run_cases(set_good, sizeof(set_good) / sizeof(*set_good));
	run_cases(set_bad, sizeof(set_bad) / sizeof(*set_bad));
}

/*
 * Give each request its highest free counter, in the order of the text. "B" and "C"
 * cannot be counted together.
 */
static int place_high(void *arg, unsigned n, struct spec_req *req)
{
	uint64_t used = 0, names = 0;

	assert_string_equal(arg, "arg");
	assert_true(n >= 1);
	for (unsigned i = 0; i < n; i++) {
		uint64_t left = req[i].pics & ~used;

		assert_true(req[i].pics && !req[i].nattrs);
		assert_true(!i || req[i].column > req[i - 1].column);
		names |= *req[i].event == 'B' ? 1 : *req[i].event == 'C' ? 2 : 0;
		if (!left)
			return -1;
		/* also set before a failure: the parser must ignore it then */
		req[i].pic = 63 - (unsigned)__builtin_clzll(left);
		used |= UINT64_C(1) << req[i].pic;
	}
	return names == 3 ? -1 : 0;
}

static const struct spec_case placed[] = {
	{__LINE__, 4, "", ""},
	{__LINE__, 4, "umask=3", ""},
	{__LINE__, 4, "A,AD,sys1,umask3=2", "pic1=A@1us | pic3=AD@3u umask=0x2"},
	{__LINE__, 4, "AD,A,AD", "pic0=AD@6u | pic1=A@4u | pic3=AD@1u"},
	{__LINE__, 4, "pic2=ANY,A,ANY,one",
	 "pic1=A@10u one=0x1 | pic2=ANY@6u one=0x1 | pic3=ANY@12u one=0x1"},
	/* picN= may follow an event that can be counted there */
	{__LINE__, 4, "A,pic0=B", "pic0=B@8u | pic1=A@1u"},
	{__LINE__, 4, "B,A,pic1=A,pic1=A",
	 "12: repeated 'pic1' token; pic1 already counts 'A' []"},
	/*
	 * place() fails: provisional counters, and the counters that each event can use
	 */
	{__LINE__, 4, "B,C,B,umask=1",
	 "pic0=B@1u umask=0x1 | pic1=C@3u umask=0x1 | pic2=B@5u of 0x1 umask=0x1"},
	{__LINE__, 4, "ANY,C,pic0=B,sys0",
	 "pic0=B@12us | pic1=ANY@1u of 0xf | pic2=C@5u of 0x2"},
	{__LINE__, 4, "A,C,pic0=B,sys0",
	 "pic0=B@10us | pic1=A@1u of 0x3 | pic2=C@3u of 0x2"},
	{__LINE__, 4, "C,pic3=A",
	 "8: pic3 cannot measure event 'A' on this cpu; the event can be counted on "
	 "pic0 and pic1 []"},
	{__LINE__, 4, "B,C,pic3=ANY,B",
	 "pic0=B@1u | pic1=C@3u | pic2=B@14u of 0x1 | pic3=ANY@10u"},
	/* more events than counters */
	{__LINE__, 2, "A,A,A", "5: bad token 'A'; all 2 counters are in use []"},
	{__LINE__, 4, "A,A,A", "5: bad token 'A'; all 2 counters are in use []"},
	{__LINE__, 4, "A,A,pic0=A,pic1=A,pic2=ANY",
	 "24: bad token 'ANY'; all 4 counters are in use []"},
	{__LINE__, 2, "B,B", "pic0=B@1u | pic1=B@3u of 0x1"},
	{__LINE__, 4, "ANY,AD,AD,AD",
	 "pic0=ANY@1u of 0xf | pic1=AD@8u of 0x9 | pic2=AD@11u of 0x9 | pic3=AD@5u of "
	 "0x9"},
	{__LINE__, 2, "B,B,B", "5: bad token 'B'; all 2 counters are in use []"},
	{__LINE__, 2, "NO", "1: bad token 'NO'; no counter of this cpu can count it []"},
	{__LINE__, 0, "A", "1: bad token 'A'; no counter of this cpu can count it []"},
};

/* Counters from place(). */
static void test_placed(void **state)
{
	char got[2048];

	(void)state;
	for (size_t i = 0; i < sizeof(placed) / sizeof(*placed); i++) {
		const struct spec_names names = {.npic = placed[i].npic,
						 .arg = "arg",
						 .event = know_event,
						 .attr = know_attr,
						 .place = place_high};

		if (strcmp(parsed_by(&names, placed[i].text, got, sizeof(got)),
			   placed[i].want))
			fail_msg("case of line %d: \"%s\" gives \"%s\"", placed[i].line,
				 placed[i].text, got);
	}
	assert_int_equal(live, 0);
}

/* The longest names have 511 bytes; the longest messages about them are cut. */
static void test_long(void **state)
{
	char text[4096], got[4096], want[4096], name[CPC_MAX_EVENT_LEN + 1];

	(void)state;
	memset(name, 'e', sizeof(name));
	name[CPC_MAX_EVENT_LEN] = '\0';
	snprintf(want, sizeof(want),
		 "6: bad token '%.60s...'; an event name has at most 511 bytes, "
		 "not 512 []",
		 name);
	snprintf(text, sizeof(text), "pic1=%s", name);
	assert_string_equal(parsed(2, text, got, sizeof(got)), want);
	want[0] = '1';
	assert_string_equal(parsed(2, text + 5, got, sizeof(got)), want);

	name[CPC_MAX_EVENT_LEN - 1] = '\0';
	snprintf(text, sizeof(text), "%s", name);
	snprintf(want, sizeof(want), "pic0=%s@1u", name);
	assert_string_equal(parsed(2, text, got, sizeof(got)), want);

	snprintf(text, sizeof(text), "pic1=%s,%s", name, name);
	snprintf(want, sizeof(want),
		 "518: bad token '%s'; only pic0 and pic1 can count it, and "
		 "an event without picN= goes above all used counters: write pic0=",
		 name);
	parsed(2, text, got, sizeof(got));
	assert_memory_equal(got, want, strlen(want));
	/* the column, the message cut to its buffer, and no token */
	assert_int_equal(strlen(got), strlen("518: ") + 1023 + strlen(" []"));
}

/* Each allocation fails once: ENOMEM without a message, and no memory leaks. */
static void test_no_memory(void **state)
{
	static const char text[] = "pic1=A,umask=3,inv1,B,umask0=1";
	static const char fine[] = "pic1=A,pic0=B,umask=3,inv1";
	char got[256];
	int n = 0;

	(void)state;
	do {
		allow = n++;
		parsed(2, fine, got, sizeof(got));
		assert_int_equal(live, 0);
		if (*got != 'p')
			assert_string_equal(got, "errno 12, 0:  []");
	} while (*got != 'p' && n < 100);
	allow = -1;
	/*
	 * 11 allocations: spec, its attributes and its events as they are read, requests,
	 * 2 events, 2 arrays of attributes, 3 names of attributes
	 */
	assert_int_equal(n, 12);
	assert_string_equal(got, "pic0=B@13u umask=0x3 | pic1=A@6u umask=0x3 inv=0x1");

	/* other errors leak no memory either */
	parsed(2, text, got, sizeof(got));
	assert_int_equal(live, 0);
}

static void test_free_null(void **state)
{
	(void)state;
	spec_free(NULL);
	assert_int_equal(live, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),	  cmocka_unit_test(test_bad),
		cmocka_unit_test(test_long),	  cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_free_null), cmocka_unit_test(test_of_set),
		cmocka_unit_test(test_placed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
