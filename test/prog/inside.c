/*
 * inside MODE: a program that counts itself with libcpc, for runs under the simulator.
 *
 * count: prints what a loop of 1000 turns adds to the counts; frozen: the same with the
 * counters frozen during the loop; records: prints how many records of every 100th load
 * have the right addresses; refusals: prints the results of binds that the simulator
 * refuses, while the library writes its messages to stderr.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libcpc.h>

enum { TURNS = 1000, PERIOD = 100 };

static uint64_t data[2 * TURNS];

/* n loads, and n conditional branches of which all but the last are taken. */
static __attribute__((noinline)) void loop(long n)
{
	const uint64_t *p = data;

	__asm__ volatile(".globl inside_load\n"
			 "inside_load: mov (%0), %%rax\n\t"
			 "add $8, %0\n\t"
			 "dec %1\n\t"
			 "jnz inside_load"
			 : "+r"(p), "+r"(n)
			 :
			 : "rax", "cc", "memory");
}
extern const char inside_load[];

static cpc_set_t *make_set(cpc_t *cpc, const char *const *event, unsigned n)
{
	cpc_set_t *set = cpc_set_create(cpc);

	for (unsigned i = 0; set && i < n; i++)
		if (cpc_set_add_request(cpc, set, event[i], 0, CPC_COUNT_USER, 0, NULL) ==
		    -1)
			err(1, "%s", event[i]);
	if (!set || cpc_bind_curlwp(cpc, set, 0) == -1)
		err(1, "bind");
	return set;
}

static void sample(cpc_t *cpc, cpc_set_t *set, cpc_buf_t *buf)
{
	if (!buf || cpc_set_sample(cpc, set, buf) == -1)
		err(1, "sample");
}

/* Stores in b what the loop with n turns adds to the counts, frozen or not. */
static __attribute__((noinline)) void measure(cpc_t *cpc, cpc_set_t *set, cpc_buf_t *a,
					      cpc_buf_t *b, long n, int freeze)
{
	sample(cpc, set, a);
	if (freeze && cpc_disable(cpc) == -1)
		err(1, "disable");
	loop(n);
	if (freeze && cpc_enable(cpc) == -1)
		err(1, "enable");
	sample(cpc, set, b);
	cpc_buf_sub(cpc, b, b, a);
}

/* The difference of two measurements is what TURNS turns of the loop add. */
static void count(cpc_t *cpc, int freeze)
{
	static const char *const event[] = {"load", "br_cond", "br_cond_tk", "insn"};
	cpc_set_t *set = make_set(cpc, event, 4);
	cpc_buf_t *a = cpc_buf_create(cpc, set), *once = cpc_buf_create(cpc, set),
		  *twice = cpc_buf_create(cpc, set);
	uint64_t v, w;

	measure(cpc, set, a, once, 1, freeze);
	measure(cpc, set, a, once, TURNS, freeze);
	measure(cpc, set, a, twice, 2 * TURNS, freeze);
	for (int i = 0; i < 4; i++) {
		if (cpc_buf_get(cpc, once, i, &v) == -1 ||
		    cpc_buf_get(cpc, twice, i, &w) == -1)
			err(1, "get");
		printf("%s %" PRIu64 "\n", event[i], w - v);
	}
}

static void records(cpc_t *cpc)
{
	char name[] = "smpl_nrecs";
	const cpc_attr_t nrecs = {name, 64};
	cpc_set_t *set = cpc_set_create(cpc);
	unsigned n, here = 0;

	if (cpc_smpl_npic(cpc) == 0)
		errx(1, "no records");
	if (!set ||
	    cpc_set_add_request(cpc, set, "load", -(uint64_t)PERIOD,
				CPC_COUNT_USER | CPC_HW_SMPL, 1, &nrecs) == -1 ||
	    cpc_bind_curlwp(cpc, set, 0) == -1)
		err(1, "records");
	cpc_buf_t *buf = cpc_buf_create(cpc, set);
	loop(TURNS);
	sample(cpc, set, buf);
	if (cpc_buf_smpl_rec_count(cpc, buf, 0, &n) == -1)
		err(1, "count of records");
	for (unsigned i = 0; i < n; i++) {
		uint64_t pc, addr;

		if (cpc_buf_smpl_get_item(cpc, buf, 0, i, 0, &pc) == -1 ||
		    cpc_buf_smpl_get_item(cpc, buf, 0, i, 3, &addr) == -1)
			err(1, "item");
		here += pc == (uintptr_t)inside_load && addr >= (uintptr_t)data &&
			addr < (uintptr_t)(data + TURNS);
	}
	printf("records %u\n", here);
}

static void refusals(cpc_t *cpc)
{
	cpc_set_t *set = cpc_set_create(cpc), *other = cpc_set_create(cpc);
	cpc_t *kernel = cpc_open_cpu(CPC_VER_CURRENT, NULL, "kernel");
	cpc_set_t *faults = kernel ? cpc_set_create(kernel) : NULL;

	if (!set || !other || !faults ||
	    cpc_set_add_request(cpc, set, "insn", -(uint64_t)100,
				CPC_COUNT_USER | CPC_OVF_NOTIFY_EMT, 0, NULL) == -1 ||
	    cpc_set_add_request(cpc, other, "insn", 0, CPC_COUNT_USER, 0, NULL) == -1 ||
	    cpc_set_add_request(kernel, faults, "page-faults", 0, CPC_COUNT_USER, 0,
				NULL) == -1)
		err(1, "sets");
	printf("engines %s %s\n", cpc_engine_name(cpc), cpc_engine_name(kernel));
	printf("overflow %d\n", cpc_bind_curlwp(cpc, set, 0));
	printf("cpu %d\n", cpc_bind_cpu(cpc, 0, other, 0));
	printf("kernel %d\n", cpc_bind_curlwp(kernel, faults, 0));
	cpc_close(kernel);
}

int main(int argc, char **argv)
{
	cpc_t *cpc = cpc_open(CPC_VER_CURRENT);
	const char *mode = argc > 1 ? argv[1] : "";

	if (!cpc)
		err(1, "cpc_open");
	if (strcmp(mode, "records") == 0)
		records(cpc);
	else if (strcmp(mode, "refusals") == 0)
		refusals(cpc);
	else
		count(cpc, strcmp(mode, "frozen") == 0);
	cpc_close(cpc);
	return 0;
}
