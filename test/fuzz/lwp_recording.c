/*
 * Reads any bytes as a recording: all reads stay within the bytes, and what was read can
 * be written and read again, with the same rings. Build with clang
 * -fsanitize=fuzzer,address,undefined.
 */
#include "recording.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct recording r;
	char why[256] = "";
	uint64_t cb = 0;

	/* The last 8 bytes are the address of an LWPCB, in half of the cases. */
	if (size >= 8)
		memcpy(&cb, data + size - 8, 8);
	if (recording_read(&r, data, size, &cb, cb & 1, why, sizeof why) == -1) {
		check(why[0], "a reason is given");
		return 0;
	}
	recording_touch(&r);
	recording_repeat(&r);
	recording_free(&r);
	return 0;
}
