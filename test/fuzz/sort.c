/*
 * Parses any first line as the keys by which rows of CPUs are sorted, and sorts rows that
 * the bytes after that line describe. Keys are refused with a message, or all rows are in
 * an order in which equal rows have kept theirs. Build with clang
 * -fsanitize=fuzzer,address,undefined.
 */
#include "suite/cpus/sort.h"

#include <errno.h>
#include <string.h>

#include "fuzz.h"

enum { ROWS = 10, BYTES = 4, MOST_TEXT = 100 };

static const char *const events[2][3] = {
	{"instructions", "cpu/event=0x3c,umask=1/", "a"},
	{"cycles", "instructions", "a,b"},
};
static const unsigned pics[2][3] = {{0, 1, 2}, {0, 17, 3}};
static const struct row_set sets[2] = {
	{.n = 3, .event = events[0], .pic = pics[0]},
	{.n = 3, .event = events[1], .pic = pics[1]},
};
static const struct row_set *const both[2] = {&sets[0], &sets[1]};

static struct {
	struct cpu_view_item item[ROWS];
	unsigned set; /* of all items */
	struct cpu_sample sample[ROWS];
	cpc_value_t value[ROWS][3];
} rows;

/* Make a row of each 4 bytes. Returns the number of rows. */
static unsigned make_rows(const uint8_t *data, size_t size)
{
	unsigned n = 0;

	rows.set = size ? data[0] >> 7 : 0;
	for (; n < ROWS && size >= BYTES; n++, data += BYTES, size -= BYTES) {
		rows.sample[n] = (struct cpu_sample){.cpu = (int)n,
						     .core = data[0] % 4 - 1,
						     .socket = data[0] / 4 % 4 - 1};
		for (unsigned i = 0; i < 3; i++)
			rows.value[n][i] = (cpc_value_t){
				.value = data[1 + i] >> 1,
				.quality = data[1 + i] & 1 ? CPC_UNAVAILABLE : CPC_EXACT};
		rows.item[n] = (struct cpu_view_item){.ns = data[3] % 3,
						      .tick = data[2] % 3,
						      .cpus = 1 + data[1] % 2,
						      .value = rows.value[n],
						      .first = &rows.sample[n]};
	}
	return n;
}

/* Returns whether b comes before a when these two are sorted alone, b behind a. */
static int is_swapped(const struct cpu_view_keys *k, const struct cpu_view_item *a,
		      const struct cpu_view_item *b)
{
	const struct cpu_view_item *pair[2] = {a, b}, *spare[2];

	cpu_view_keys_sort(k, rows.set, pair, spare, 2);
	check((pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a),
	      "no row is lost");
	return pair[0] == b;
}

static void check_sort(const struct cpu_view_keys *k, unsigned n)
{
	const struct cpu_view_item *item[ROWS], *spare[ROWS];
	unsigned seen = 0;

	for (unsigned i = 0; i < n; i++)
		item[i] = &rows.item[i];
	cpu_view_keys_sort(k, rows.set, item, spare, n);
	for (unsigned i = 0; i < n; i++)
		seen |= 1U << (item[i] - rows.item);
	check(seen == (1U << n) - 1, "no row is lost");
	for (unsigned i = 0; i < n; i++)
		for (unsigned later = i + 1; later < n; later++) {
			check(!is_swapped(k, item[i], item[later]), "rows are in order");
			check(is_swapped(k, item[later], item[i]) ||
				      item[i] < item[later],
			      "equal rows keep their order");
		}
}

/* A message has no character that a terminal obeys. */
static void check_message(const char *err, size_t size)
{
	const size_t n = strnlen(err, size);

	check(errno == EINVAL && n > 0 && n < size, "a refusal has a message");
	for (size_t i = 0; i < n; i++)
		check((uint8_t)err[i] >= ' ' && err[i] != 0x7f, "a message is text");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *const newline = size ? memchr(data, '\n', size) : NULL;
	const size_t len = newline ? (size_t)(newline - data) : size;
	char *const text = string_of(data, len), err[200];
	struct cpu_view_keys k;

	if (len > MOST_TEXT) {
		free(text);
		return -1;
	}
	if (cpu_view_keys_parse(&k, text, both, 2, 0, err, sizeof err) == 0) {
		check(k.n > 0, "keys that are accepted have a key");
		if (newline)
			check_sort(&k, make_rows(newline + 1, size - len - 1));
	} else if (strcspn(text, "\n") == strlen(text)) {
		check_message(err, sizeof err);
	}
	cpu_view_keys_free(&k);
	free(text);
	return 0;
}
