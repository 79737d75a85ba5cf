/* Texts of machines: what is read, each mistake, changes, and the text with changes. */
#include "engine/machine.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "machines.h"

/* The messages of a call, one a line. */
struct messages {
	char text[8192];
};

static void keep(void *arg, const char *text)
{
	struct messages *to = arg;
	const size_t len = strlen(to->text);

	assert_null(strchr(text, '\n'));
	snprintf(to->text + len, sizeof to->text - len, "%s\n", text);
}

static int parse(const char *text, unsigned nset, const char *const *set,
		 struct machine *m, struct messages *to)
{
	const struct machine_source source = {
		.path = "us", .text = text, .len = strlen(text), .changes = {nset, set}};
	struct machine_mistakes mistakes = {to, keep, 0};

	to->text[0] = '\0';
	const int rc = machine_parse(&source, m, &mistakes);
	assert_true(rc == 0 || errno == EINVAL);
	assert_int_equal(rc == 0, mistakes.n == 0);
	return rc;
}

/* Returns the machine's text with the line that begins with key replaced, for free(). */
static char *with_line(const char *text, const char *key, const char *line)
{
	char *s = NULL;
	const size_t n = strlen(key);
	const char *at = text;

	while (n && (strncmp(at, key, n) != 0 || (at[n] != ' ' && at[n] != '\n'))) {
		at = strchr(at, '\n');
		if (!at++ || !*at)
			fail_msg("no line %s", key);
	}
	const char *rest = n ? strchr(at, '\n') + 1 : at;
	assert_true(asprintf(&s, "%.*s%s%s%s", (int)(at - text), text, line,
			     *line ? "\n" : "", rest) > 0);
	return s;
}

static const char *text_of(const char *name)
{
	const struct machine_text *t = machine_texts;

	while (strcmp(t->name, name) != 0)
		t++;
	return t->text;
}

static void reads_all_members(void **state)
{
	const struct machine *m = machines_find("ultrasparc3");
	const struct mcache d1 = {65536, 32, 32, 4, REPL_FIFO, 0, 0, 0};
	const struct mcache l2 = {8388608, 512, 64, 2, REPL_LRU, 1, 1, 1};
	const struct mtlb itlb = {128, 2, 8192, REPL_FIFO};

	(void)state;
	assert_string_equal(m->name, "ultrasparc3");
	assert_string_equal(m->title, "UltraSPARC-III Cu 900 MHz");
	assert_memory_equal(&m->d1, &d1, sizeof d1);
	assert_memory_equal(&m->l2, &l2, sizeof l2);
	assert_memory_equal(&m->itlb, &itlb, offsetof(struct mtlb, repl) + 1);
	assert_int_equal(m->bp, BP_GSHARE);
	assert_int_equal(m->bp_shift, 3);
	assert_int_equal(m->bp_hist, 12);
	assert_int_equal(m->l3.size, 0);
	assert_int_equal(m->joint, 0);
	assert_int_equal(m->in_order, 1);
	int found = 0;
	for (unsigned i = 0; i < m->npenalties; i++)
		found |= m->penalty[i].counter == CTR_D1_RD_MISS &&
			 m->penalty[i].group == COST_LOAD && m->penalty[i].cycles == 13;
	assert_true(found);
	m = machines_find("r10000");
	assert_int_equal(m->joint, 1);
	assert_int_equal(m->in_order, 0);
	assert_int_equal(m->dtlb.entries, 64);
	assert_true(m->penalty[0].cycles == 18.02);
	assert_int_equal(m->timing[MOP_DIV64].latency, 66);
	assert_int_equal(m->timing[MOP_DIV64].repeat, 67);
	assert_int_equal(m->timing[MOP_DIV64].units, 2);
	assert_int_equal(m->timing[MOP_FSQRT64].latency, 33);
	assert_int_equal(m->l2.repl, REPL_WAYPRED);
	assert_int_equal(m->prefetch_walk, 0);
}

static void ignore_fault(void *arg, const char *key, const char *text)
{
	(void)arg;
	print_error("%s: %s\n", key, text ? text : "range");
}

/* Each built-in machine is good, and its file has its name. */
static void built_in_machines_are_good(void **state)
{
	(void)state;
	for (unsigned i = 0; machine_texts[i].name; i++) {
		const struct machine *m = machines_at(i);

		assert_string_equal(m->name, machine_texts[i].name);
		assert_int_equal(machine_check(m, NULL, ignore_fault), 0);
	}
}

/* A line of ultrasparc3 is replaced; all messages without their "us:LINE: ". */
static const struct {
	int line;
	const char *key, *text; /* key "": a line is added */
	const char *message;
} bad_lines[] = {
	{__LINE__, "", "i1.lines 4",
	 "unknown key 'i1.lines'; did you mean 'i1.line' or 'd1.line'?"},
	{__LINE__, "", "xyzzy 4", "unknown key 'xyzzy'"},
	{__LINE__, "ras", "ras", "ras: needs one value"},
	{__LINE__, "ras", "ras 4 5", "ras: needs one value"},
	{__LINE__, "mhz", "", "mhz: is missing"},
	{__LINE__, "l2.line", "", "l2.line: is missing"},
	{__LINE__, "ras", "ras 0x10",
	 "ras: bad value '0x10': must be a number from 0 to 65536"},
	{__LINE__, "ras", "ras 65537",
	 "ras: bad value '65537': must be a number from 0 to 65536"},
	{__LINE__, "ras", "ras -1",
	 "ras: bad value '-1': must be a number from 0 to 65536"},
	{__LINE__, "ras", "ras 99999999999999999999",
	 "ras: bad value '99999999999999999999': must be a number from 0 to 65536"},
	{__LINE__, "ras", "ras 4T",
	 "ras: bad value '4T': must be a number from 0 to 65536"},
	{__LINE__, "ras", "ras K",
	 "ras: bad value 'K': must be a number from 0 to 65536"},
	{__LINE__, "l2.repl", "l2.repl plru",
	 "l2.repl: bad value 'plru': must be one of: lru fifo waypred"},
	{__LINE__, "tlb.repl", "tlb.repl lru",
	 "tlb.repl: bad value 'lru': must be one of: fifo"},
	{__LINE__, "width", "width 0",
	 "width: bad value '0': must be a number from 1 to 64"},
	{__LINE__, "d1.line", "d1.line 48",
	 "d1.line: bad value '48': must be a power of two from 16 to 4096"},
	{__LINE__, "wmerge", "wmerge 3",
	 "wmerge: bad value '3': must be 0 or a power of two from 1 to 4096"},
	{__LINE__, "wmerge", "wmerge 1",
	 "wmerge: must be 0, or from 2 to what L2 fills at once"},
	{__LINE__, "wmerge", "wmerge 128",
	 "wmerge: must be 0, or from 2 to what L2 fills at once"},
	{__LINE__, "i1.ways", "i1.ways 3",
	 "i1.ways: the number of sets (size / line / ways) is not a power of two"},
	{__LINE__, "i1.ways", "i1.ways 65",
	 "i1.ways: bad value '65': must be a number from 1 to 64"},
	{__LINE__, "dtlb.page", "dtlb.page 8191",
	 "dtlb.page: bad value '8191': must be a power of two from 4096 to 1073741824"},
	{__LINE__, "dtlb.ways", "dtlb.ways 3",
	 "dtlb.ways: the number of sets (entries / ways) is not a power of two"},
	{__LINE__, "bp.entries", "bp.entries 16000",
	 "bp.entries: bad value '16000': must be a power of two from 1 to 4194304"},
	{__LINE__, "bp.hist", "bp.hist 15",
	 "bp.hist: must be at most the number of bits that index bp.entries"},
	{__LINE__, "bp", "bp bimodal", "bp.hist: is not used by this machine"},
	{__LINE__, "ind", "ind 3",
	 "ind: bad value '3': must be 0 or a power of two from 1 to 1048576"},
	{__LINE__, "d1.alloc", "d1.alloc yes",
	 "d1.alloc: must be yes if d1.write is back, and no if d1.write is through"},
	{__LINE__, "l2.line", "l2.line 16\n#",
	 "l2.sub: must be from an eighth of a line to a line"},
	{__LINE__, "l2.sub", "l2.sub 32",
	 "l2.sub: must be from an eighth of a line to a line\n"
	 "wmerge: must be 0, or from 2 to what L2 fills at once"},
	{__LINE__, "l2.size", "l2.size 16K",
	 "l2.size: must not be smaller than i1.size or d1.size"},
	{__LINE__, "d1.line", "d1.line 128",
	 "l2.line: L2 must fill at least a line of L1 at once"},
	{__LINE__, "waypred", "waypred 512",
	 "waypred: must be 0 unless l2.ways is 2 and L2 has no sub-blocks\n"
	 "l2.repl: must be waypred if, and only if, waypred is not 0"},
	{__LINE__, "", "l3.line 64", "l3.line: is not used by this machine"},
	{__LINE__, "l3.size", "l3.size 4M\nl3.line 64\nl3.ways 2\nl3.repl lru",
	 "l3.line: must not be shorter than l2.line\n"
	 "l3.size: must be 0 or not smaller than l2.size"},
	{__LINE__, "d1.size", "d1.size 0",
	 "d1.size: bad value '0': must be a number from 64 to 67108864"},
	{__LINE__, "l2.size", "l2.size 2G",
	 "l2.size: bad value '2G': must be a number from 64 to 1073741824"},
	{__LINE__, "", "penalty tlb 1 tlb", "penalty: the model has no counter 'tlb'"},
	{__LINE__, "", "penalty est_tlb 1 tlb",
	 "penalty: 'est_tlb' is an estimate, which has no cost"},
	{__LINE__, "", "penalty sched16 1 br",
	 "penalty: 'sched16' is an estimate, which has no cost"},
	{__LINE__, "", "penalty i1_miss 1 fetch\npenalty i1_miss 1 fetch",
	 "penalty: 'i1_miss' is given twice\npenalty: 'i1_miss' is given twice"},
	{__LINE__, "", "penalty fp 1e3 br",
	 "penalty: bad number '1e3': must be a number below 1000000, such as 8 or 8.25"},
	{__LINE__, "", "penalty fp 1000000 br",
	 "penalty: bad number '1000000': must be a number below 1000000, such as 8 or "
	 "8.25"},
	{__LINE__, "", "penalty fp 1 base",
	 "penalty: unknown group 'base': must be one of: fetch load tlb br wb"},
	{__LINE__, "", "penalty fp 1", "penalty: needs a counter, cycles and a group"},
	{__LINE__, "", "timing alu 1 1",
	 "timing: needs an operation, a latency, a repeat rate and units"},
	{__LINE__, "", "timing addq 1 1 A",
	 "timing: unknown operation 'addq': must be one of: alu shift branch load loadfp "
	 "store vec mul32 mul64 fadd fmul fma div32 div64 fdiv32 fdiv64 fsqrt32 fsqrt64"},
	{__LINE__, "", "timing alu 1 1 A", "timing: 'alu' is given twice"},
	{__LINE__, "timing  alu", "timing alu 128 0 aB",
	 "timing: bad latency '128': must be a number from 0 to 127\n"
	 "timing: bad repeat rate '0': must be a number from 1 to 127\n"
	 "timing: bad units 'aB': must be letters from A to Z"},
	{__LINE__, "timing  fma", "", "timing: 'fma' is missing"},
	{__LINE__, "simd", "simd 4", "simd: must be 0, or from 8 to 64"},
	{__LINE__, "prefetch.tlb", "prefetch.tlb maybe",
	 "prefetch.tlb: bad value 'maybe': must be one of: drop walk"},
	{__LINE__, "issue", "issue order",
	 "issue: bad value 'order': must be one of: out-of-order in-order"},
	{__LINE__, "l2.repl", "l2.repl waypred",
	 "l2.repl: must be waypred if, and only if, waypred is not 0"},
	{__LINE__, "machine", "", "machine: is missing"},
	{__LINE__, "machine", "machine us3 \"a\"\nmachine us3 \"a\"",
	 "machine: is given twice"},
	{__LINE__, "machine", "machine Us \"a\"",
	 "machine: needs a name of at most 31 small letters, digits and _"},
	{__LINE__, "machine", "machine a2345678901234567890123456789012 \"a\"",
	 "machine: needs a name of at most 31 small letters, digits and _"},
	{__LINE__, "machine", "machine us",
	 "machine: needs a title in quotes after the name, of at most 95 bytes and "
	 "without \\"},
	{__LINE__, "machine", "machine us \"a\" b",
	 "machine: needs a title in quotes after the name, of at most 95 bytes and "
	 "without \\"},
	{__LINE__, "", "\033[2J", "the line has a byte that is not text"},
};

/* Remove "us:LINE: " from the beginning of each line. */
static void drop_places(char *text)
{
	char *to = text;

	for (char *line = text; *line;) {
		char *end = strchr(line, '\n');
		unsigned number;
		int n = 0;

		if (sscanf(line, "us:%u: %n", &number, &n) != 1 || !n || !number)
			fail_msg("no place: %s", line);
		line += n;
		memmove(to, line, (size_t)(end + 1 - line));
		to += end + 1 - line;
		line = end + 1;
	}
	*to = '\0';
	if (to > text)
		to[-1] = '\0';
}

static void reports_mistakes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof bad_lines / sizeof bad_lines[0]; i++) {
		char *text = with_line(text_of("ultrasparc3"), bad_lines[i].key,
				       bad_lines[i].text);
		struct messages to;
		struct machine m;

		if (parse(text, 0, NULL, &m, &to) == 0)
			fail_msg("line %d: accepted", bad_lines[i].line);
		drop_places(to.text);
		if (strcmp(to.text, bad_lines[i].message) != 0)
			fail_msg("line %d: %s", bad_lines[i].line, to.text);
		free(text);
	}
}

static void names_the_lines(void **state)
{
	struct messages to;
	struct machine m;

	(void)state;
	parse("machine a \"A\" # b\n\nmhz 1\nmhz 2\nras x # y\r\n", 0, NULL, &m, &to);
	assert_string_equal(
		to.text, "us:4: mhz: is given twice, first in line 3\n"
			 "us:5: ras: bad value 'x': must be a number from 0 to 65536\n");
	parse("", 0, NULL, &m, &to);
	assert_string_equal(to.text, "us:1: machine: is missing\n");
	parse("machine a \"A\"\nmhz 1", 0, NULL, &m, &to);
	assert_non_null(strstr(to.text, "us:2: width: is missing\n"));
	/* a file that is no machine at all */
	char rubbish[201];
	for (unsigned i = 0; i < 200; i++)
		rubbish[i] = i % 2 ? '\n' : 'x';
	rubbish[200] = '\0';
	parse(rubbish, 0, NULL, &m, &to);
	assert_non_null(strstr(to.text, "us:21: further mistakes are not shown\n"));
	assert_null(strstr(to.text, "us:22:"));
}

static void refuses_nul(void **state)
{
	static const char text[] = "machine a \"A\"\n\0mhz 1\n";
	const struct machine_source source = {"us", text, sizeof text - 1, {0, NULL}};
	struct messages to = {""};
	struct machine_mistakes m = {&to, keep, 0};
	struct machine none;

	(void)state;
	assert_int_equal(machine_parse(&source, &none, &m), -1);
	assert_string_equal(to.text, "us:1: this is no text: it has a NUL byte\n");
}

/* Changes of r10000 (no L3, a joint TLB) or generic; message "": they are accepted. */
static const struct {
	int line;
	const char *name;
	const char *set[6];
	const char *message;
} changes[] = {
	{__LINE__, "r10000", {"l2.size=1M"}, ""},
	{__LINE__, "r10000", {"l2.size=5", "l2.size=1M"}, ""},
	{__LINE__,
	 "r10000",
	 {"l3.size=8M", "l3.line=128", "l3.ways=16", "l3.repl=lru"},
	 ""},
	{__LINE__, "generic", {"l3.size=0"}, ""},
	{__LINE__, "generic", {"l3.size=33M", "l3.ways=11"}, ""},
	{__LINE__,
	 "generic",
	 {"dtlb1.page=64K", "itlb1.page=8K"},
	 "--set=itlb1.page=8K: itlb1.page: must not be larger than itlb.page\n"
	 "--set=dtlb1.page=64K: dtlb1.page: must not be larger than dtlb.page\n"},
	{__LINE__,
	 "generic",
	 {"l3.ways=11"},
	 "--set=l3.ways=11: l3.ways: the number of sets (size / line / ways) is not "
	 "whole\n"},
	{__LINE__, "generic", {"dtlb.entries=1536", "dtlb.ways=12"}, ""},
	{__LINE__, "generic", {"tlb=joint"}, ""},
	{__LINE__, "generic", {"itlb1.entries=0", "dtlb1.entries=0"}, ""},
	{__LINE__, "generic", {"bp=bimodal"}, ""},
	{__LINE__, "generic", {"penalty.l3_rd_miss=99.5"}, ""},
	{__LINE__, "generic", {"d1.sub=32"}, ""},
	{__LINE__,
	 "r10000",
	 {"l2.size=5"},
	 "--set=l2.size=5: l2.size: bad value '5': must be a number from 64 to "
	 "1073741824\n"},
	{__LINE__,
	 "r10000",
	 {"l2.size="},
	 "--set=l2.size=: l2.size: bad value '': must be a number from 64 to "
	 "1073741824\n"},
	{__LINE__,
	 "r10000",
	 {"l2.sise=1M"},
	 "--set=l2.sise=1M: unknown key 'l2.sise'; did you mean 'l2.size', "
	 "'l2.line' or 'l3.size'?\n"},
	{__LINE__,
	 "r10000",
	 {"l2.size"},
	 "--set=l2.size: write KEY=VALUE, such as l2.size=1M\n"},
	{__LINE__, "r10000", {""}, "--set=: write KEY=VALUE, such as l2.size=1M\n"},
	{__LINE__,
	 "r10000",
	 {"l2.size=3M"},
	 "--set=l2.size=3M: l2.ways: the number of sets (size / line / ways) is not a "
	 "power of two\n"},
	{__LINE__,
	 "generic",
	 {"i1.line=16", "d1.line=16", "l2.line=16", "l2.size=1G", "l3.size=0"},
	 "--set=l2.size=1G: l2.ways: the cache has more than 16777216 lines\n"},
	{__LINE__,
	 "r10000",
	 {"i1.size=8M"},
	 "r10000: l2.size: must not be smaller than i1.size or d1.size\n"},
	{__LINE__,
	 "r10000",
	 {"l3.line=64"},
	 "--set=l3.line=64: l3.line: is not used by this machine\n"},
	{__LINE__,
	 "r10000",
	 {"penalty.l3_rd_miss=1"},
	 "--set=penalty.l3_rd_miss=1: penalty: needs a counter, cycles and a group\n"},
	{__LINE__, "r10000", {"penalty.insn=0.25 br", "timing.div64=1 2 AB"}, ""},
	{__LINE__, "r10000", {"penalty.insn=1 br", "penalty.insn=2 br"}, ""},
	{__LINE__,
	 "r10000",
	 {"penalty.x=1 br"},
	 "--set=penalty.x=1 br: penalty: the model has no counter 'x'\n"},
	{__LINE__,
	 "r10000",
	 {"penalty.i1_miss=x"},
	 "--set=penalty.i1_miss=x: penalty: bad number 'x': must be a number below "
	 "1000000, such as 8 or 8.25\n"},
	{__LINE__,
	 "r10000",
	 {"timing.div64=1"},
	 "--set=timing.div64=1: timing: needs an operation, a latency, a repeat rate and "
	 "units\n"},
	{__LINE__, "r10000", {"timing=1"}, "--set=timing=1: unknown key 'timing'\n"},
};

static unsigned length(const char *const *set)
{
	unsigned n = 0;

	while (n < 6 && set[n])
		n++;
	return n;
}

/* Remove the number of a line of a built-in machine, which may change. */
static void drop_line(char *text, const char *name)
{
	const size_t n = strlen(name);
	unsigned line;
	int len = 0;

	if (strncmp(text, name, n) == 0 && sscanf(text + n, ":%u%n", &line, &len) == 1)
		memmove(text + n, text + n + len, strlen(text + n + len) + 1);
}

static void changes_machines(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
		const struct machine_choice choice = {
			changes[i].name, {length(changes[i].set), changes[i].set}};
		struct messages to = {""};
		struct machine_mistakes m = {&to, keep, 0};
		struct machine a, b;
		char *text = NULL;

		const int rc = machine_open(&choice, &a, &text, &m);
		drop_line(to.text, changes[i].name);
		if (strcmp(to.text, changes[i].message) != 0 ||
		    (rc == 0) != (*to.text == '\0'))
			fail_msg("line %d: %s", changes[i].line, to.text);
		if (rc == -1)
			continue;
		/* The text with its changes is the same machine. */
		if (parse(text, 0, NULL, &b, &to) == -1)
			fail_msg("line %d: %s", changes[i].line, to.text);
		assert_memory_equal(&a, &b, sizeof a);
		const struct machine *plain = machines_find(changes[i].name);
		if (memcmp(plain, &a, sizeof a) == 0)
			fail_msg("line %d: nothing changed", changes[i].line);
		assert_true(machine_hash(&a) == machine_hash(&b));
		assert_true(machine_hash(&a) != machine_hash(plain));
		free(text);
	}
}

static void checks_changes_without_a_machine(void **state)
{
	static const char *const good[] = {"l2.size=1M", "penalty.l3_rd_miss=1",
					   "l3.size=0"};
	static const char *const bad[] = {"l2.size=1X", "penalty.x=1", "what=1", "ras",
					  "timing.alu=1 1 a"};
	struct messages to = {""};
	struct machine_mistakes m = {&to, keep, 0};

	(void)state;
	assert_int_equal(machine_check_changes(&(struct machine_changes){3, good}, &m),
			 0);
	assert_int_equal(machine_check_changes(&(struct machine_changes){5, bad}, &m),
			 -1);
	assert_int_equal(m.n, 5);
}

/* The text of each machine without changes is its file, and reads as the same machine. */
static void texts_go_round(void **state)
{
	(void)state;
	for (unsigned i = 0; machine_texts[i].name; i++) {
		const struct machine_choice choice = {.name = machine_texts[i].name};
		struct messages to = {""};
		struct machine_mistakes m = {&to, keep, 0};
		struct machine a, b;
		char *text = NULL;

		assert_int_equal(machine_open(&choice, &a, &text, &m), 0);
		assert_string_equal(text, machine_texts[i].text);
		assert_int_equal(parse(text, 0, NULL, &b, &to), 0);
		assert_memory_equal(&a, &b, sizeof a);
		free(text);
	}
}

static void edits_lines_in_place(void **state)
{
	static const char *const set[] = {"l3.size=0", "ras=8", "penalty.dtlb_miss=21"};
	const struct machine_choice choice = {"generic", {3, set}};
	struct messages to = {""};
	struct machine_mistakes mistakes = {&to, keep, 0};
	struct machine m;
	char *text;

	(void)state;
	assert_int_equal(machine_open(&choice, &m, &text, &mistakes), 0);
	assert_non_null(
		strstr(text, "\nras           8                # changed by --set\n"));
	assert_non_null(strstr(
		text, "\npenalty dtlb_miss            21  tlb    # changed by --set\n"));
	assert_non_null(strstr(text, "\n# l3.ways       16\n"));
	assert_non_null(strstr(text, "# A server of today"));
	free(text);
}

static int open_message(const char *name, char *text, size_t size)
{
	const struct machine_choice choice = {.name = name};
	struct messages to = {""};
	struct machine_mistakes mistakes = {&to, keep, 0};
	struct machine m;

	errno = 0;
	const int rc = machine_open(&choice, &m, NULL, &mistakes);
	assert_true(rc == 0 || (errno == EINVAL && mistakes.n));
	snprintf(text, size, "%s", to.text);
	return rc;
}

static void write_file(const char *path, const char *text, size_t n)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static int interrupted; /* the next read(2) of a machine is interrupted by a signal */

ssize_t __real_read(int fd, void *to, size_t n);
ssize_t __wrap_read(int fd, void *to, size_t n);
ssize_t __real___read_chk(int fd, void *to, size_t n, size_t size);
ssize_t __wrap___read_chk(int fd, void *to, size_t n, size_t size);

static int interrupts(void)
{
	if (!interrupted)
		return 0;
	interrupted = 0;
	errno = EINTR;
	return 1;
}

ssize_t __wrap_read(int fd, void *to, size_t n)
{
	return interrupts() ? -1 : __real_read(fd, to, n);
}

ssize_t __wrap___read_chk(int fd, void *to, size_t n, size_t size)
{
	return interrupts() ? -1 : __real___read_chk(fd, to, n, size);
}

static void reads_files(void **state)
{
	char dir[] = "/tmp/machine.XXXXXX", path[64], text[8192];
	const char *good = text_of("generic");
	char *huge = malloc(MACHINE_TEXT_MAX + 1);

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/m", dir);
	assert_int_equal(open_message(path, text, sizeof text), -1);
	assert_non_null(strstr(text, "/m': No such file or directory\n"));
	write_file(path, good, strlen(good));
	assert_int_equal(open_message(path, text, sizeof text), 0);
	interrupted = 1;
	assert_int_equal(open_message(path, text, sizeof text), 0);
	assert_int_equal(interrupted, 0);
	assert_int_equal(open_message(dir, text, sizeof text), -1);
	assert_non_null(strstr(text, "': Is a directory\n"));
	write_file(path, "\177ELF\0\1\2", 7);
	assert_int_equal(open_message(path, text, sizeof text), -1);
	assert_non_null(strstr(text, "/m:1: this is no text"));
	/* a comment fills the file up to the limit, and one byte more */
	memset(huge, '#', MACHINE_TEXT_MAX + 1);
	memcpy(huge, good, strlen(good));
	write_file(path, huge, MACHINE_TEXT_MAX);
	assert_int_equal(open_message(path, text, sizeof text), 0);
	write_file(path, huge, MACHINE_TEXT_MAX + 1);
	assert_int_equal(open_message(path, text, sizeof text), -1);
	assert_non_null(strstr(text, "more than 65536 bytes"));
	assert_int_equal(open_message("/dev/zero", text, sizeof text), -1);
	assert_non_null(strstr(text, "more than 65536 bytes"));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(dir), 0);
	free(huge);
}

static void suggests_names(void **state)
{
	char text[8192];

	(void)state;
	assert_int_equal(open_message("r1000", text, sizeof text), -1);
	assert_non_null(strstr(text,
			       "no machine is named 'r1000'; did you mean 'r10000' or "
			       "'r12000'? --machine=list lists the machines"));
	assert_non_null(strstr(text, "the name of a file must have a '/'"));
}

/* The hash does not depend on names, comments and order, and sees every value. */
static void hashes(void **state)
{
	const struct machine *plain = machines_find("itanium2");
	struct machine m = *plain;

	(void)state;
	strcpy(m.name, "other");
	strcpy(m.title, "Other");
	m.penalty[0] = plain->penalty[1];
	m.penalty[1] = plain->penalty[0];
	assert_true(machine_hash(&m) == machine_hash(plain));
	for (const struct machine_key *k = machine_keys; k->name; k++) {
		m = *plain;
		machine_put(&m, k, machine_get(&m, k) + 1);
		if (machine_hash(&m) == machine_hash(plain))
			fail_msg("%s", k->name);
	}
	for (unsigned i = 0; i < plain->npenalties; i++) {
		m = *plain;
		m.penalty[i].cycles += 0.25;
		assert_true(machine_hash(&m) != machine_hash(plain));
	}
	for (unsigned i = 0; i < MOP_NOPS; i++)
		for (unsigned part = 0; part < 3; part++) {
			m = *plain;
			m.timing[i].latency += part == 0;
			m.timing[i].repeat += part == 1;
			m.timing[i].units ^= part == 2;
			if (machine_hash(&m) == machine_hash(plain))
				fail_msg("timing %u, part %u", i, part);
		}
}

/* The ranges of every key hold in a machine that was not parsed, such as a copy. */
static unsigned faults;

static void count_fault(void *arg, const char *key, const char *text)
{
	(void)text;
	faults += strcmp(key, (const char *)arg) == 0;
}

static void checks_copies(void **state)
{
	const struct machine *plain = machines_find("generic");

	(void)state;
	for (const struct machine_key *k = machine_keys; k->name; k++) {
		struct machine m = *plain;

		if (k->size == 1 ? k->max >= UINT8_MAX : k->max == UINT32_MAX)
			fail_msg("%s: every value is in its range", k->name);
		machine_put(&m, k, k->max + 1);
		faults = 0;
		machine_check(&m, (void *)(uintptr_t)k->name, count_fault);
		if (faults != 1)
			fail_msg("%s: %u faults", k->name, faults);
	}
	struct machine m = *plain;
	memset(m.title, 'x', sizeof m.title);
	faults = 0;
	machine_check(&m, (void *)(uintptr_t) "machine", count_fault);
	assert_int_equal(faults, 1);
	m = *plain;
	m.npenalties = SIM_NCOUNTERS + 1;
	machine_check(&m, (void *)(uintptr_t) "penalty", count_fault);
	assert_int_equal(faults, 2);
	m = *plain;
	m.penalty[2].counter = (enum sim_counter)SIM_NCOUNTERS;
	machine_check(&m, (void *)(uintptr_t) "penalty", count_fault);
	assert_int_equal(faults, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_all_members),
		cmocka_unit_test(built_in_machines_are_good),
		cmocka_unit_test(reports_mistakes),
		cmocka_unit_test(names_the_lines),
		cmocka_unit_test(refuses_nul),
		cmocka_unit_test(changes_machines),
		cmocka_unit_test(checks_changes_without_a_machine),
		cmocka_unit_test(texts_go_round),
		cmocka_unit_test(edits_lines_in_place),
		cmocka_unit_test(reads_files),
		cmocka_unit_test(suggests_names),
		cmocka_unit_test(hashes),
		cmocka_unit_test(checks_copies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
