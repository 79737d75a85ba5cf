#include <lwp.h>

static const struct {
	unsigned bit;
	const char *sentence;
} problems[] = {
	{LWP_BAD_SIZE, "the ring is smaller than the processor allows"},
	{LWP_BAD_SIZE_STEP,
	 "the size of the ring is not a multiple of the size of a record"},
	{LWP_BAD_HEAD, "the head is outside the ring"},
	{LWP_BAD_HEAD_STEP, "the head is not at the start of a record"},
	{LWP_BAD_TAIL, "the tail is outside the ring"},
	{LWP_BAD_TAIL_STEP, "the tail is not at the start of a record"},
	{LWP_BAD_THRESHOLD, "the threshold is no multiple of the size of a record, or is "
			    "larger than the ring"},
	{LWP_BAD_FLAGS, "features are requested that are not available"},
	{LWP_BAD_FILTERS, "filters are requested that the processor ignores"},
	{LWP_BAD_BRANCHES, "the filters let no branch pass"},
	{LWP_BAD_RANGE, "the range of addresses ends before it begins"},
	{LWP_BAD_INTERVAL, "an interval is negative"},
	{LWP_BAD_COUNTER, "a counter is negative"},
	{LWP_BAD_RANDOM, "an interval has fewer bits than are random"},
	{LWP_BAD_RESERVED, "reserved bits are set"},
	{LWP_BAD_WRAP, "the ring goes beyond the last address"},
	{LWP_BAD_SHORT, "bytes are missing at the end"},
};

const char *lwp_problem(unsigned bit)
{
	for (unsigned k = 0; k < sizeof(problems) / sizeof(*problems); k++)
		if (problems[k].bit == bit)
			return problems[k].sentence;
	return NULL;
}
