#include "filters.h"

#include <err.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "common/status.h"
#include "options_table.h"

/*
 * The words of --flags. A record matches a word if it is a record of the event with this
 * id, and if its Flags have all bits of set and no bit of clear.
 */
static const struct {
	const char *name;
	uint8_t id;
	uint16_t set, clear;
} words[] = {
	{"taken", LWP_EVENT_BRE, LWP_BRE_TKN, 0},
	{"not-taken", LWP_EVENT_BRE, 0, LWP_BRE_TKN},
	{"predicted", LWP_EVENT_BRE, LWP_BRE_PRV | LWP_BRE_PRD, 0},
	{"mispredicted", LWP_EVENT_BRE, LWP_BRE_PRV, LWP_BRE_PRD},
	{"fused", LWP_EVENT_BRE, LWP_BRE_FUS, 0},
};

static void set_bit(uint8_t *set, uint64_t i)
{
	set[i / 8] |= (uint8_t)(1 << i % 8);
}

static int has_bit(const uint8_t *set, unsigned i)
{
	return set[i / 8] >> i % 8 & 1;
}

/* Return the next word of a list with commas, or NULL at its end; *rest is changed. */
static char *next(char **rest)
{
	return strsep(rest, ",");
}

static uint64_t bounded(const struct options_command *command, const char *option,
			const char *text, uint64_t max)
{
	return input_number(command, option, text, max);
}

static void read_event(struct filters *f, const struct options_command *command,
		       const char *word)
{
	const int id = lwp_event_find(word);

	if (id < 0 && !(*word >= '0' && *word <= '9'))
		options_bad_long(command,
				 "--event: '%s' is not val, ire, bre, dme, cnh, rnh, ins "
				 "or an id",
				 word);
	set_bit(f->event,
		id >= 0 ? (unsigned)id : bounded(command, "--event", word, 255));
	f->has_event = 1;
}

static void read_core(struct filters *f, const struct options_command *command,
		      const char *word)
{
	set_bit(f->core, bounded(command, "--core", word, 255));
	f->has_core = 1;
}

static void read_source(struct filters *f, const struct options_command *command,
			const char *word)
{
	const int source = lwp_source_find(word);

	if (source < 0 && !(*word >= '0' && *word <= '9'))
		options_bad_long(command,
				 "--source: '%s' is not l3, remote, dram, other, none or "
				 "a number",
				 word);
	f->source |=
		(uint8_t)(1 << (source >= 0 ? (unsigned)source
					    : bounded(command, "--source", word, 7)));
	f->has_source = 1;
}

static void read_tid(struct filters *f, const struct options_command *command,
		     const char *word)
{
	if (array_grow(&f->tid, f->ntid, sizeof *f->tid) == -1)
		err(EXIT_TOOL, "cannot store the options");
	f->tid[f->ntid++] = (pid_t)bounded(command, "--tid", word, INT32_MAX);
	f->has_tid = 1;
}

static void read_flag(struct filters *f, const struct options_command *command,
		      const char *word)
{
	if (*word >= '0' && *word <= '9') {
		f->set |= (uint16_t)bounded(command, "--flags", word, UINT16_MAX);
		return;
	}
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		if (strcmp(word, words[i].name) != 0)
			continue;
		f->set |= words[i].set;
		f->clear |= words[i].clear;
		f->needs = words[i].id;
		return;
	}
	options_bad_long(command,
			 "--flags: '%s' is not taken, not-taken, predicted, "
			 "mispredicted, fused or a number",
			 word);
}

static void each_word(struct filters *f, const struct options_command *command,
		      void read(struct filters *, const struct options_command *,
				const char *))
{
	char *copy = strdup(optarg), *rest = copy;

	if (!copy)
		err(EXIT_TOOL, "cannot store the options");
	for (char *word; (word = next(&rest));)
		read(f, command, word);
	free(copy);
}

/*
 * Read LOW-HIGH, LOW- or LOW. LOW alone is one number or, with open_end, LOW and above.
 */
static void read_range(struct filter_range *r, const struct options_command *command,
		       const char *option, int open_end)
{
	char *copy = strdup(optarg), *rest = copy;

	if (!copy)
		err(EXIT_TOOL, "cannot store the options");
	const char *low = strsep(&rest, "-");
	r->low = bounded(command, option, low, UINT64_MAX);
	r->high = rest || open_end ? UINT64_MAX : r->low;
	if (rest && *rest)
		r->high = bounded(command, option, rest, UINT64_MAX);
	if (r->high < r->low)
		options_bad_long(command, "%s: '%s' ends before it begins", option,
				 optarg);
	free(copy);
}

int filter_option(struct filters *f, const struct options_command *command, int c)
{
	switch (c) {
	case FILTER_ADDRESS:
		read_range(&f->address, command, "--address", 0);
		f->has_address = 1;
		break;
	case FILTER_CORE:
		each_word(f, command, read_core);
		break;
	case FILTER_EVENT:
		each_word(f, command, read_event);
		break;
	case FILTER_FLAGS:
		each_word(f, command, read_flag);
		break;
	case FILTER_IP:
		read_range(&f->ip, command, "--ip", 0);
		f->has_ip = 1;
		break;
	case FILTER_LATENCY:
		read_range(&f->latency, command, "--latency", 1);
		f->has_latency = 1;
		break;
	case FILTER_MODULE:
		f->module = optarg;
		break;
	case FILTER_SOURCE:
		each_word(f, command, read_source);
		break;
	case FILTER_SYMBOL:
		f->symbol = optarg;
		break;
	case FILTER_TID:
		each_word(f, command, read_tid);
		break;
	default:
		return 0;
	}
	f->active = 1;
	return 1;
}

void filters_free(struct filters *f)
{
	free(f->tid);
	*f = (struct filters){0};
}

static int in_range(const struct filter_range *r, uint64_t v)
{
	return v >= r->low && v <= r->high;
}

static int match_tid(const struct filters *f, pid_t tid)
{
	for (unsigned i = 0; i < f->ntid; i++)
		if (f->tid[i] == tid)
			return 1;
	return 0;
}

/* Return whether a record matches the filters which are for data cache misses alone. */
static int match_miss(const struct filters *f, const lwp_record_t *r)
{
	if (!f->has_address && !f->has_latency && !f->has_source)
		return 1;
	if (r->id != LWP_EVENT_DME)
		return 0;
	if (f->has_address &&
	    (!(r->flags & LWP_DME_DAV) || !in_range(&f->address, r->data2)))
		return 0;
	if (f->has_latency && !in_range(&f->latency, r->data1))
		return 0;
	return !f->has_source || f->source >> LWP_DME_SRC(r->flags) & 1;
}

int filters_match(const struct filters *f, const lwp_record_t *r, pid_t tid)
{
	if (!f->active)
		return 1;
	if (f->has_event && !has_bit(f->event, r->id))
		return 0;
	if (f->has_core && !has_bit(f->core, r->core))
		return 0;
	if (f->has_ip && !in_range(&f->ip, r->ip))
		return 0;
	if (f->needs && r->id != f->needs)
		return 0;
	if ((r->flags & f->set) != f->set || r->flags & f->clear)
		return 0;
	if (f->has_tid && !match_tid(f, tid))
		return 0;
	return match_miss(f, r);
}

/*
 * A pattern without a slash is compared with the name of the file, others with its path.
 */
static int match_module(const char *pattern, const char *module)
{
	const char *slash = module ? strrchr(module, '/') : NULL;

	if (!module)
		return 0;
	return fnmatch(pattern, slash && !strchr(pattern, '/') ? slash + 1 : module, 0) ==
	       0;
}

int filters_match_names(const struct filters *f, const char *function, const char *module)
{
	if (f->symbol && (!function || fnmatch(f->symbol, function, 0) != 0))
		return 0;
	return !f->module || match_module(f->module, module);
}
