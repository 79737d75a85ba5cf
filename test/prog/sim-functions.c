/*
 * sim-functions: functions that miss the caches in different ways, and have names, for
 * comparisons with other simulators by function.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTION __attribute__((noinline))

enum { N = 96, KEYS = 30000, NODES = 8000, TEXT = 200000 };

double matrix_a[N][N], matrix_b[N][N], matrix_c[N][N];
static uint32_t keys[KEYS], table[1 << 16];
static char text[TEXT];

struct node {
	struct node *next;
	uint64_t value[5];
};

static uint64_t state = 88172645463325252;

FUNCTION static uint64_t next_number(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

FUNCTION static void fill_matrices(void)
{
	for (int i = 0; i < N; i++)
		for (int k = 0; k < N; k++) {
			matrix_a[i][k] = i + k;
			matrix_b[i][k] = i - k;
		}
}

FUNCTION static void multiply(void)
{
	for (int i = 0; i < N; i++)
		for (int k = 0; k < N; k++) {
			double sum = 0;

			for (int j = 0; j < N; j++)
				sum += matrix_a[i][j] * matrix_b[j][k];
			matrix_c[i][k] = sum;
		}
}

FUNCTION static void fill_keys(void)
{
	for (int i = 0; i < KEYS; i++)
		keys[i] = (uint32_t)next_number();
}

FUNCTION static int compare(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

FUNCTION static void sort_heap(uint32_t *v, int n)
{
	for (int end = n; end > 1;) {
		int i = 0;
		const uint32_t last = v[--end];

		v[end] = v[0];
		for (int child; (child = 2 * i + 1) < end; i = child) {
			child += child + 1 < end && compare(&v[child + 1], &v[child]) > 0;
			if (compare(&v[child], &last) <= 0)
				break;
			v[i] = v[child];
		}
		v[i] = last;
	}
}

FUNCTION static void make_heap(uint32_t *v, int n)
{
	for (int start = n / 2; start-- > 0;) {
		const uint32_t value = v[start];
		int i = start;

		for (int child; (child = 2 * i + 1) < n; i = child) {
			child += child + 1 < n && v[child + 1] > v[child];
			if (v[child] <= value)
				break;
			v[i] = v[child];
		}
		v[i] = value;
	}
}

FUNCTION static uint32_t hash_keys(void)
{
	uint32_t hits = 0;

	for (int i = 0; i < KEYS; i++) {
		uint32_t *slot = &table[(keys[i] * 2654435761U) >> 16];

		hits += *slot == keys[i];
		*slot = keys[i];
	}
	return hits;
}

FUNCTION static struct node *make_list(void)
{
	struct node *const all = calloc(NODES, sizeof *all);
	struct node *head = NULL;

	for (int i = 0; all && i < NODES; i++) {
		struct node *const n = &all[(i * 5003LL) % NODES];

		n->value[i % 5] = (uint64_t)i;
		n->next = head;
		head = n;
	}
	return head;
}

FUNCTION static uint64_t walk_list(const struct node *n)
{
	uint64_t sum = 0;

	for (; n; n = n->next)
		sum += n->value[0] + n->value[4];
	return sum;
}

FUNCTION static void fill_text(void)
{
	for (int i = 0; i < TEXT; i++)
		text[i] = "etaoin shrdlu"[next_number() % 13];
}

FUNCTION static int count_words(void)
{
	int words = 0;

	for (int i = 1; i < TEXT; i++)
		words += text[i] == ' ' && text[i - 1] != ' ';
	return words;
}

int main(void)
{
	const struct node *list;

	fill_matrices();
	multiply();
	fill_keys();
	make_heap(keys, KEYS);
	sort_heap(keys, KEYS);
	list = make_list();
	fill_text();
	printf("%g %u %d %d\n", matrix_c[1][2], hash_keys(), (int)walk_list(list),
	       count_words());
	return 0;
}
