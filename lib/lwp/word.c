#include <lwp.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MIN_LATENCY "minlatency="

static const char *const names[][32] = {
	[LWP_WORD_FLAGS] = {[LWP_EVENT_VAL] = "val",
			    [LWP_EVENT_IRE] = "ire",
			    [LWP_EVENT_BRE] = "bre",
			    [LWP_EVENT_DME] = "dme",
			    [LWP_EVENT_CNH] = "cnh",
			    [LWP_EVENT_RNH] = "rnh",
			    [29] = "cont",
			    [30] = "ptsc",
			    [31] = "int"},
	[LWP_WORD_FILTERS] = {[8] = "clf",
			      [9] = "nbc",
			      [10] = "rdc",
			      [11] = "ram",
			      [12] = "oth",
			      [25] = "nmb",
			      [26] = "npb",
			      [27] = "nab",
			      [28] = "ncb",
			      [29] = "nrb",
			      [30] = "ipi",
			      [31] = "ipf"},
	[LWP_WORD_BRE] = {[12] = "fus", [13] = "prv", [14] = "prd", [15] = "tkn"},
	[LWP_WORD_DME] = {[12] = "dav"},
};

const char *lwp_bit_name(lwp_word_t word, unsigned bit)
{
	return word <= LWP_WORD_DME && bit < 32 ? names[word][bit] : NULL;
}

/* Appends a word to text of *at characters, of which n - 1 fit. */
static void append(char *text, size_t n, size_t *at, const char *word)
{
	char *to = *at < n ? text + *at : NULL;
	const int len = snprintf(to, to ? n - *at : 0, "%s%s", *at ? "," : "", word);

	*at += (size_t)len;
}

size_t lwp_word_format(char *text, size_t n, lwp_word_t word, uint32_t value)
{
	char number[32];
	size_t at = 0;

	if (word == LWP_WORD_FILTERS && (value & 0xff) != 0) {
		snprintf(number, sizeof(number), MIN_LATENCY "%u",
			 LWP_FILTER_LATENCY(value));
		append(text, n, &at, number);
		value &= ~UINT32_C(0xff);
	}
	for (unsigned bit = 0; bit < 32; bit++) {
		const char *name = lwp_bit_name(word, bit);

		if (!name || !(value >> bit & 1))
			continue;
		append(text, n, &at, name);
		value &= ~(UINT32_C(1) << bit);
	}
	if (value || at == 0) {
		snprintf(number, sizeof(number), value ? "0x%x" : "%u", value);
		append(text, n, &at, number);
	}
	return at;
}

/* Reads a number of 32 bits that len characters form, in the base of strtoul(3). */
static int read_number(const char *s, size_t len, uint32_t *v)
{
	char *end;

	/* strtoul would accept blanks and signs. */
	if (*s < '0' || *s > '9')
		return -1;
	errno = 0;
	const unsigned long long x = strtoull(s, &end, 0);

	if (end != s + len || errno || x > UINT32_MAX)
		return -1;
	*v = (uint32_t)x;
	return 0;
}

static int read_latency(const char *s, size_t len, uint32_t *v)
{
	if (read_number(s, len, v) != 0 || *v % 16 || *v > 0xff * 16)
		return -1;
	*v /= 16;
	return 0;
}

/* Reads a name or a number of len characters. */
static int read_item(const char *s, size_t len, lwp_word_t word, uint32_t *v)
{
	const size_t key = strlen(MIN_LATENCY);

	for (unsigned bit = 0; bit < 32; bit++) {
		const char *name = lwp_bit_name(word, bit);

		if (name && strlen(name) == len && strncasecmp(s, name, len) == 0) {
			*v = UINT32_C(1) << bit;
			return 0;
		}
	}
	if (word == LWP_WORD_FILTERS && len > key &&
	    strncasecmp(s, MIN_LATENCY, key) == 0)
		return read_latency(s + key, len - key, v);
	return read_number(s, len, v);
}

int lwp_word_parse(uint32_t *value, lwp_word_t word, const char *text)
{
	uint32_t all = 0;

	for (;; text++) {
		const size_t len = strcspn(text, ",");
		uint32_t v;

		if (read_item(text, len, word, &v) != 0) {
			errno = EINVAL;
			return -1;
		}
		all |= v;
		text += len;
		if (!*text)
			break;
	}
	*value = all;
	return 0;
}
