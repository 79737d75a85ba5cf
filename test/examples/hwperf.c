/*
 * Counts two events in a part of a program: hwperf [EVENT0 EVENT1 ROUNDS]. 9 and 25 are
 * misses of the primary caches. Where these cannot be counted, page faults are.
 */
#include <err.h>
#include <hwperf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINES = 4096, LINE = 64 };

static volatile char memory[LINES * LINE];

/* Executes the same instructions in each round. */
static void __attribute__((noinline)) work(int rounds)
{
	while (rounds-- > 0)
		for (int i = 0; i < LINES; i++)
			memory[i * LINE]++;
}

static void count_event(hwperf_profevctrarg_t *args, int i)
{
	struct hwperf_ctrlreg *reg = &args->hwp_evctrargs.hwp_evctrl[i].hwperf_creg;

	reg->hwp_mode = HWPERF_CNTEN_U;
	reg->hwp_ie = 1;
	reg->hwp_ev = i < HWPERF_CNT1BASE ? i : i - HWPERF_CNT1BASE;
}

static int start(int fd, hwperf_profevctrarg_t *args, int event0, int event1)
{
	const int generation = hwperf_ioctl(fd, PIOCENEVCTRS, args);
	hwperf_evname_t name0 = {event0, "page-faults"};
	hwperf_evname_t name1 = {event1, "page-faults"};

	if (generation != -1)
		return generation;
	warn("cannot count events %d and %d, only page faults", event0, event1);
	hwperf_ioctl(fd, PIOCSETEVNAME, &name0);
	hwperf_ioctl(fd, PIOCSETEVNAME, &name1);
	return hwperf_ioctl(fd, PIOCENEVCTRS, args);
}

int main(int argc, char **argv)
{
	const int event0 = argc > 1 ? atoi(argv[1]) : 9;
	const int event1 = argc > 2 ? atoi(argv[2]) : 25;
	const int rounds = argc > 3 ? atoi(argv[3]) : 1;
	hwperf_profevctrarg_t args;
	hwperf_cntr_t counters;

	if (event0 < 0 || event1 < 0 || event0 >= HWPERF_EVENTMAX ||
	    event1 >= HWPERF_EVENTMAX)
		errx(2, "events are from 0 to %d", HWPERF_EVENTMAX - 1);
	memset(&args, 0, sizeof args);
	count_event(&args, event0);
	count_event(&args, event1);
	const int fd = hwperf_open(getpid());
	if (fd == -1)
		err(1, "hwperf_open");
	work(1);
	const int generation = start(fd, &args, event0, event1);
	if (generation == -1)
		err(1, "cannot count");
	work(rounds);
	const int now = hwperf_ioctl(fd, PIOCGETEVCTRS, &counters);
	if (now == -1)
		err(1, "cannot read the counters");
	if (now != generation)
		errx(1, "the program has lost its counters");
	if (hwperf_ioctl(fd, PIOCRELEVCTRS) == -1)
		err(1, "cannot release the counters");
	printf("%" PRIu64 " %" PRIu64 "\n", counters.hwp_evctr[event0],
	       counters.hwp_evctr[event1]);
	return close(fd);
}
