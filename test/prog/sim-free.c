/*
 * sim-free N: sorts N numbers, sieves the primes below N, multiplies matrices, and prints
 * a checksum. Without C library and start-up code it executes only the code below. Its
 * stack does not depend on the environment.
 */
#include <stddef.h>
#include <stdint.h>

enum { MAX = 4096 };

static uint32_t number[MAX];
static double matrix[3][24][24];

static long call(long nr, long a, const void *b, long c)
{
	long r;

	__asm__ volatile("syscall"
			 : "=a"(r)
			 : "a"(nr), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return r;
}

static void sort(uint32_t *v, long n)
{
	while (n > 1) {
		const uint32_t pivot = v[n / 2];
		long i = 0, j = n - 1;

		for (;; i++, j--) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i >= j)
				break;
			const uint32_t t = v[i];
			v[i] = v[j];
			v[j] = t;
		}
		sort(v, i);
		v += i;
		n -= i;
	}
}

static uint32_t sorted_sum(long n)
{
	uint32_t x = 1, sum = 0;

	for (long i = 0; i < n; i++)
		number[i] = x = x * 1664525 + 1013904223;
	sort(number, n);
	for (long i = 0; i < n; i++)
		sum = sum * 31 + number[i];
	return sum;
}

static uint32_t primes(long n)
{
	uint32_t count = 0;

	__asm__ volatile("rep stosb"
			 :
			 : "a"(0), "D"(number), "c"(sizeof number)
			 : "memory");
	for (long i = 2; i < n; i++) {
		count += !number[i];
		for (long k = 2 * i; k < n; k += i)
			number[k] = 1;
	}
	return count;
}

static uint32_t product(void)
{
	double sum = 0;

	for (int i = 0; i < 24; i++)
		for (int k = 0; k < 24; k++) {
			matrix[0][i][k] = i + k;
			matrix[1][i][k] = i - k;
			matrix[2][i][k] = 0;
		}
	for (int i = 0; i < 24; i++)
		for (int j = 0; j < 24; j++)
			for (int k = 0; k < 24; k++)
				matrix[2][i][j] += matrix[0][i][k] * matrix[1][k][j];
	for (int i = 0; i < 24; i++)
		sum += matrix[2][i][i];
	return (uint32_t)(int64_t)sum;
}

static void print(uint32_t v)
{
	char text[12], *p = text + sizeof text;

	*--p = '\n';
	do
		*--p = (char)('0' + v % 10);
	while (v /= 10);
	call(1, 1, p, text + sizeof text - p);
}

__attribute__((used)) static void run(const long *stack)
{
	const char *arg = stack[0] > 1 ? (const char *)stack[2] : "100";
	long n = 0;

	while (*arg >= '0' && *arg <= '9')
		n = n * 10 + *arg++ - '0';
	n = n < MAX ? n : MAX;
	print(sorted_sum(n) ^ primes(n) ^ product());
	call(231, 0, NULL, 0);
}

__asm__(".globl _start\n_start:\n\tmov %rsp, %rdi\n\tand $-16, %rsp\n\tcall run\n");
