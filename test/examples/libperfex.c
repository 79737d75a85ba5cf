/* Counts cycles and misses of the data cache in two parts of a program. */
#include <libperfex.h>
#include <stdio.h>

enum { CYCLES = 0, MISSES = 25, SIZE = 1 << 20, LINE = 64 };

static _Alignas(4096) volatile char array[SIZE];

static void by_rows(void)
{
	for (int i = 0; i < SIZE; i++)
		array[i] = 1;
}

static void by_columns(void)
{
	for (int i = 0; i < LINE; i++)
		for (int k = i; k < SIZE; k += LINE)
			array[k] = 2;
}

static void count(const char *name, void (*part)(void))
{
	long long cycles, misses;

	puts(name);
	const int started = start_counters(CYCLES, MISSES);
	part();
	if (started != -1 && read_counters(CYCLES, &cycles, MISSES, &misses) == started)
		print_counters(CYCLES, cycles, MISSES, misses);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	count("by rows", by_rows);
	count("by columns", by_columns);
	return 0;
}
