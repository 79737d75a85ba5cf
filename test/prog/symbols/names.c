/* C with symbols of every kind, for tests of symbols. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int counted_variable = 7;
long zero_variable[512];
static int hidden_variable = 3;
_Thread_local int thread_variable = 5;

static inline __attribute__((always_inline)) int twice(int x)
{
	return 2 * x + hidden_variable;
}

int counted_function(int x);

__attribute__((noinline)) int counted_function(int x)
{
	zero_variable[x & 511]++;
	return twice(x) * counted_variable + thread_variable;
}

static int compare(const void *a, const void *b)
{
	return counted_function(*(const int *)a) - counted_function(*(const int *)b);
}

int main(int argc, char **argv)
{
	int list[] = {3, 1, 2, argc};

	qsort(list, 4, sizeof(*list), compare);
	printf("%d %s\n", list[0], strrchr(argv[0], '/'));
	hidden_variable = argc;
	return 0;
}
