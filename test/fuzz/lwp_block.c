/*
 * Decode, check, start and encode an LWPCB of any bytes, for a processor whose CPUID has
 * any bits, and the state in an area of XSAVE. Build with clang
 * -fsanitize=fuzzer,address,undefined.
 */
#include <lwp.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_state(const uint8_t *data, size_t size)
{
	uint8_t bytes[LWP_STATE_SIZE], again[LWP_STATE_SIZE];
	lwp_state_t s;

	if (size < LWP_STATE_SIZE)
		return;
	lwp_state_decode(&s, data);
	lwp_state_encode(bytes, &s);
	lwp_state_decode(&s, bytes);
	lwp_state_encode(again, &s);
	if (memcmp(bytes, again, sizeof(bytes)) != 0)
		abort();
}

static void check_words(const lwp_block_t *b)
{
	char text[200];
	uint32_t v;

	if (lwp_word_format(text, sizeof(text), LWP_WORD_FILTERS, b->filters) >=
		    sizeof(text) ||
	    lwp_word_parse(&v, LWP_WORD_FILTERS, text) != 0 || v != b->filters)
		abort();
	if (lwp_word_format(text, sizeof(text), LWP_WORD_FLAGS, b->flags) >=
		    sizeof(text) ||
	    lwp_word_parse(&v, LWP_WORD_FLAGS, text) != 0 || v != b->flags)
		abort();
}

static void check_block(const uint8_t *data, size_t size, const lwp_features_t *f)
{
	/* A block of this very size, so that the sanitizer reports writes beyond it. */
	uint8_t *bytes = malloc(size ? size : 1);
	lwp_block_t b, again;

	if (!bytes)
		return;
	for (unsigned bits = lwp_block_check(data, size, f); bits; bits &= bits - 1)
		if (!lwp_problem(bits & -bits))
			abort();
	if (lwp_block_decode(&b, data, size, f) == 0) {
		check_words(&b);
		if (lwp_block_encode(bytes, size, &b, f) != 0 ||
		    lwp_block_decode(&again, bytes, size, f) != 0 ||
		    again.head != b.head ||
		    memcmp(b.interval, again.interval, sizeof(b.interval)) != 0)
			abort();
		/* Started once, a block does not change any more. */
		if (lwp_block_start(&b, f, 15) == 0) {
			again = b;
			if (lwp_block_start(&again, f, 15) != 0 || again.head != b.head ||
			    again.buffer_size != b.buffer_size ||
			    memcmp(b.interval, again.interval, sizeof(b.interval)) != 0)
				abort();
		}
	}
	free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	lwp_cpuid_t c;
	lwp_features_t f;

	check_state(data, size);
	lwp_features_version1(&f);
	check_block(data, size, &f);
	if (size < sizeof(c))
		return 0;
	memcpy(&c, data, sizeof(c));
	lwp_features_decode(&f, &c);
	lwp_latency_limit(&f);
	lwp_features_encode(&c, &f);
	check_block(data + sizeof(c), size - sizeof(c), &f);
	return 0;
}
