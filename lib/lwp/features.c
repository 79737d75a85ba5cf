#include <lwp.h>

#include <errno.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

enum { EAX, EBX, ECX, EDX };

/* The bits of EAX and EDX of 8000_001C that are LWP_FLAG_*. */
#define FLAGS UINT32_C(0xfffffffe)

/* The number in bits of v, of which low is the lowest. */
static uint32_t field(uint32_t v, unsigned low, unsigned bits)
{
	return v >> low & ((UINT32_C(1) << bits) - 1);
}

/* The low bits of v at their place in a register. */
static uint32_t place(uint32_t v, unsigned low, unsigned bits)
{
	return field(v, 0, bits) << low;
}

void lwp_features_decode(lwp_features_t *f, const lwp_cpuid_t *c)
{
	const uint32_t *r = c->lwp;

	*f = (lwp_features_t){
		.has_lwp = field(c->extended[ECX], 15, 1),
		.has_xsave = field(c->xsave[EDX], 30, 1),
		.area_size = c->area[EAX],
		.area_offset = c->area[EBX],
		.enabled = field(r[EAX], 0, 1),
		.available = r[EAX] & FLAGS,
		.supported = r[EDX] & FLAGS,
		.block_size = field(r[EBX], 0, 8) * 8,
		.event_size = field(r[EBX], 8, 8),
		.max_events = field(r[EBX], 16, 8),
		.event_offset = field(r[EBX], 24, 8),
		.latency_bits = field(r[ECX], 0, 5),
		.has_data_address = field(r[ECX], 5, 1),
		.latency_rounds = field(r[ECX], 6, 3),
		.version = field(r[ECX], 9, 7),
		.min_buffer = field(r[ECX], 16, 8),
		.has_branch_prediction = field(r[ECX], 28, 1),
		.has_ip_filtering = field(r[ECX], 29, 1),
		.has_cache_levels = field(r[ECX], 30, 1),
		.has_cache_latency = field(r[ECX], 31, 1),
	};
}

void lwp_features_encode(lwp_cpuid_t *c, const lwp_features_t *f)
{
	*c = (lwp_cpuid_t){
		.extended[ECX] = place(f->has_lwp, 15, 1),
		.xsave[EDX] = place(f->has_xsave, 30, 1),
		.area = {[EAX] = f->area_size, [EBX] = f->area_offset},
	};
	c->lwp[EAX] = (f->available & FLAGS) | place(f->enabled, 0, 1);
	c->lwp[EBX] = place(f->block_size / 8, 0, 8) | place(f->event_size, 8, 8) |
		      place(f->max_events, 16, 8) | place(f->event_offset, 24, 8);
	c->lwp[ECX] =
		place(f->latency_bits, 0, 5) | place(f->has_data_address, 5, 1) |
		place(f->latency_rounds, 6, 3) | place(f->version, 9, 7) |
		place(f->min_buffer, 16, 8) | place(f->has_branch_prediction, 28, 1) |
		place(f->has_ip_filtering, 29, 1) | place(f->has_cache_levels, 30, 1) |
		place(f->has_cache_latency, 31, 1);
	/* Bit 0 is the same as that of 8000_0001. */
	c->lwp[EDX] = (f->supported & FLAGS) | place(f->has_lwp, 0, 1);
}

void lwp_features_version1(lwp_features_t *f)
{
	const uint32_t flags = LWP_FLAG_INT | (LWP_FLAG(LWP_MAX_EVENTS + 1) - 2);

	*f = (lwp_features_t){
		.has_lwp = 1,
		.has_xsave = 1,
		.enabled = 1,
		.version = 1,
		.available = flags,
		.supported = flags,
		.block_size = LWP_EVENT_OFFSET + 8 * LWP_MAX_EVENTS,
		.event_size = LWP_EVENT_SIZE,
		.max_events = LWP_MAX_EVENTS,
		.event_offset = LWP_EVENT_OFFSET,
		.latency_bits = 31,
		.has_data_address = 1,
		.has_branch_prediction = 1,
		.has_ip_filtering = 1,
		.has_cache_levels = 1,
		.has_cache_latency = 1,
		.area_size = LWP_STATE_SIZE,
		.area_offset = LWP_STATE_OFFSET,
	};
}

#if defined(__x86_64__) || defined(__i386__)
/* Registers of a leaf that the processor does not have become 0. */
static void read_leaf(uint32_t reg[4], uint32_t leaf, uint32_t subleaf)
{
	reg[EAX] = reg[EBX] = reg[ECX] = reg[EDX] = 0;
	__get_cpuid_count(leaf, subleaf, &reg[EAX], &reg[EBX], &reg[ECX], &reg[EDX]);
}

int lwp_cpuid_read(lwp_cpuid_t *c)
{
	read_leaf(c->lwp, 0x8000001c, 0);
	read_leaf(c->extended, 0x80000001, 0);
	read_leaf(c->xsave, 0xd, 0);
	read_leaf(c->area, 0xd, 62);
	return 0;
}
#else
int lwp_cpuid_read(lwp_cpuid_t *c)
{
	*c = (lwp_cpuid_t){0};
	errno = ENOTSUP;
	return -1;
}
#endif

uint32_t lwp_latency_limit(const lwp_features_t *f)
{
	const uint32_t end = UINT32_C(1) << (f->latency_bits & 31);
	const uint32_t step = UINT32_C(1) << (f->latency_rounds & 31);

	/* Section 3.1: 10 bits in steps of 16 end at 1008. */
	return f->latency_bits && end > step ? end - step : 0;
}

void lwp_config_decode(lwp_config_t *c, uint64_t msr)
{
	*c = (lwp_config_t){
		.available = (uint32_t)msr,
		.core = msr >> 32,
		.vector = msr >> 40,
	};
}

uint64_t lwp_config_encode(const lwp_config_t *c)
{
	return c->available | (uint64_t)c->core << 32 | (uint64_t)c->vector << 40;
}
