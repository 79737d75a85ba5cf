#include "outputs.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "common/out.h"
#include "common/recording.h"

static int is_full(int error)
{
	return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

/* The run goes on: its rows are not lost with the file. */
static void lose_samples(struct outputs *out, int error)
{
	if (error && !out->lost)
		warnx("cannot write to '%s': %s", out->options->output,
		      out_strerror(error));
	out->lost |= error != 0;
}

static int open_samples(struct outputs *out, int64_t unix_ns)
{
	const struct options *o = out->options;

	out->samples = samples_open(o->output, o->ncgroups > 0, out->set, unix_ns);
	if (!out->samples) {
		const int e = errno;
		lose_samples(out, e);
		return is_full(e) ? 0 : -1;
	}
	if (samples_lock(out->samples) == 1)
		out_note_no_lock(o->output);
	return 0;
}

/* Prometheus keeps names that begin with "__" for itself. */
static void check_label(const struct options *o, const char *key)
{
	if (openmetrics_has_label(key) || strncmp(key, "__", 2) == 0)
		options_bad_long(o->shared.command,
				 "--openmetrics: '%s' is a label of the metrics already; "
				 "choose another key for --label or CPC_LABEL",
				 key);
}

static struct openmetrics *open_metrics(const struct options *o,
					const struct row_set *const *set, unsigned nsets)
{
	struct labels l = {0};

	recording_labels(&l, &o->shared);
	struct openmetrics_label *label = calloc(l.n + 1, sizeof *label);
	if (!label)
		return NULL;
	for (unsigned i = 0; i < l.n; i++) {
		check_label(o, l.label[i].key);
		label[i] = (struct openmetrics_label){l.label[i].key, l.label[i].value};
	}
	const struct openmetrics_options options = {.path = o->metrics,
						    .scope = o->scope,
						    .cgroups = o->ncgroups > 0,
						    .nlabels = l.n,
						    .label = label};
	struct openmetrics *m = openmetrics_new(&options, set, nsets);
	const int e = errno;
	free(label);
	labels_free(&l);
	errno = e;
	return m;
}

int outputs_prepare(struct outputs *out, const struct options *o,
		    const struct row_set *const *set, unsigned nsets)
{
	*out = (struct outputs){.options = o, .set = set};
	if (!o->metrics)
		return 0;
	out->metrics = open_metrics(o, set, nsets);
	if (!out->metrics)
		warnx("cannot write to '%s': %s", o->metrics, out_strerror(errno));
	return out->metrics ? 0 : -1;
}

/*
 * The metrics were written (rc 0), or not (-1). A run goes on after an error: the next
 * attempt may succeed.
 */
static void check_metrics(struct outputs *out, int rc)
{
	const int e = rc == -1 ? errno : 0;

	if (e && e != out->metrics_error)
		warnx("cannot write to '%s': %s", out->options->metrics, out_strerror(e));
	out->metrics_error = e;
}

void outputs_announce(struct outputs *out, const struct cpu_interval *i)
{
	if (out->metrics)
		check_metrics(out, openmetrics_announce(out->metrics, i));
}

void outputs_again(struct outputs *out)
{
	if (out->metrics)
		check_metrics(out, openmetrics_again(out->metrics));
}

void outputs_ended(struct outputs *out, const char *cgroup)
{
	if (out->metrics)
		openmetrics_drop(out->metrics, cgroup);
}

int outputs_start(struct outputs *out, int64_t unix_ns)
{
	if (out->options->output && open_samples(out, unix_ns) == -1)
		return -1;
	if (out->metrics) {
		check_metrics(out, openmetrics_start(out->metrics, unix_ns));
		if (openmetrics_lock(out->metrics) == 1)
			out_note_no_lock(out->options->metrics);
	}
	return 0;
}

struct sink *outputs_records(const struct outputs *out)
{
	return out->samples ? samples_sink(out->samples) : NULL;
}

void outputs_put(struct outputs *out, const struct cpu_interval *i, uint64_t skipped)
{
	if (out->samples)
		lose_samples(out, samples_put(out->samples, i));
	if (out->metrics)
		check_metrics(out, openmetrics_write(out->metrics, i, skipped,
						     clock_unix_ns()));
}

int outputs_failed(const struct outputs *out)
{
	return out->lost || out->metrics_error;
}

int outputs_close(struct outputs *out)
{
	openmetrics_free(out->metrics);
	lose_samples(out, samples_close(out->samples));
	return out->lost ? -1 : 0;
}
