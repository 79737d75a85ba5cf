/* Multiplies two matrices in the order in which one of them misses the cache. */
#include <stdio.h>

enum { N = 96 };

static double a[N][N], b[N][N], c[N][N];

__attribute__((noinline)) static void fill(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			a[i][j] = b[i][j] = i + j;
}

__attribute__((noinline)) static void multiply(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			for (int k = 0; k < N; k++)
				c[i][j] += a[i][k] * b[k][j];
}

int main(void)
{
	fill();
	multiply();
	printf("%g\n", c[N - 1][N - 1]);
	return 0;
}
