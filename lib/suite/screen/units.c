#include "suite/screen/units.h"

#include <string.h>

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

/* Append v with three digits and the word of its thousands. */
static void put_scaled(struct textbuf *b, double v, const char *const *word, unsigned n,
		       unsigned width)
{
	char text[48];
	struct textbuf number = {.s = text, .size = sizeof text};
	unsigned i = 0;

	for (; i + 1 < n && v >= 999.5; i++)
		v /= 1000;
	if (i == 0 || v >= 99.95)
		textbuf_num(&number, (uint64_t)(v + 0.5), 0);
	else
		textbuf_decimal(&number, v, v >= 9.995 ? 1 : 2, 0);
	textbuf_str(&number, word[i]);
	textbuf_cell(b, text, number.len, width);
}

void units_put(struct textbuf *b, double value, const char *unit, unsigned width)
{
	static const char *const times[] = {"ns", "us", "ms", "s", "ks", "Ms"};
	static const char *const numbers[] = {"", "k", "M", "G", "T", "P", "E"};
	static const char *const plain[] = {""};

	if (value > 0 && unit && strcmp(unit, "ns") == 0)
		put_scaled(b, value, times, LEN(times), width);
	else if (value < 9999.5)
		put_scaled(b, value, plain, LEN(plain), width);
	else
		put_scaled(b, value, numbers, LEN(numbers), width);
}

uint64_t units_us(uint64_t ns)
{
	return ns / 1000 + (ns % 1000 >= 500);
}

void units_interval(struct textbuf *b, int64_t ns)
{
	static const struct {
		int64_t ns;
		const char *word;
	} units[] = {{1000000000, " s"}, {1000000, " ms"}, {1000, " us"}, {1, " ns"}};
	unsigned i = 0;

	while (ns % units[i].ns != 0)
		i++;
	textbuf_num(b, (uint64_t)(ns / units[i].ns), 0);
	textbuf_str(b, units[i].word);
}
