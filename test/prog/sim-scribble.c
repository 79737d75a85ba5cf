/*
 * sim-scribble 0|1 [PROGRAM [ARG...]]: under the simulator, ORs each byte of the machine
 * in the head of the pages with 0 or 255, works, and executes PROGRAM. The accesses are
 * the same with 0, which changes nothing, and with 1. The exit status is 3 if the program
 * is not simulated.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/shared/pages.h"

/* Returns the head of the pages, which is mapped from offset 0 of their file, or NULL. */
static struct pages_head *find_head(void)
{
	FILE *f = fopen("/proc/self/maps", "re");
	uintptr_t from = 0, found = 0;
	char line[512];
	unsigned long offset;

	if (!f)
		err(1, "cannot open the maps");
	while (!found && fgets(line, sizeof line, f))
		if (strstr(line, "opencpc pages") &&
		    sscanf(line, "%" SCNxPTR "-%*x %*s %lx", &from, &offset) == 2 &&
		    !offset)
			found = from;
	fclose(f);
	return (struct pages_head *)found;
}

/* Touch more than the caches of a small machine have. */
static void work(void)
{
	static volatile char array[1 << 20];

	for (unsigned k = 0; k < 4; k++)
		for (size_t i = 0; i < sizeof array; i += 48)
			array[i]++;
}

int main(int argc, char **argv)
{
	struct pages_head *head = find_head();

	if (!head)
		return 3;
	const unsigned char mask = (unsigned char)-(argc > 1 && argv[1][0] & 1);
	volatile unsigned char *p = (unsigned char *)&head->machine;
	for (size_t i = 0; i < sizeof head->machine; i++)
		p[i] |= mask;
	work();
	if (argc <= 2)
		return 0;
	execvp(argv[2], argv + 2);
	err(1, "cannot execute %s", argv[2]);
}
