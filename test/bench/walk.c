/* walk ROUNDS: reads 64 MB in order, then adds to it line by line, ROUNDS times each. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	const int rounds = argc > 1 ? atoi(argv[1]) : 2;
	const size_t n = ((size_t)64 << 20) / sizeof(long);
	long *v = malloc(n * sizeof *v), sum = 0;

	if (!v)
		return 1;
	for (size_t i = 0; i < n; i++)
		v[i] = (long)i;
	for (int round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			sum += v[i];
	for (int round = 0; round < rounds; round++)
		for (size_t from = 0; from < 8; from++)
			for (size_t i = from; i < n; i += 8)
				v[i] += sum;
	printf("%ld\n", v[n / 2]);
	free(v);
	return 0;
}
