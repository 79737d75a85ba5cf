/* integers MILLIONS: a loop of integer operations with a branch hard to predict. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	const long n = (argc > 1 ? atol(argv[1]) : 100) * 1000000L;
	uint64_t x = UINT64_C(88172645463325252), sum = 0;

	for (long i = 0; i < n; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		if (x & 1)
			sum += x;
		else
			sum ^= (uint64_t)i;
	}
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}
