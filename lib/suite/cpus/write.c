#include "suite/cpus/statfile.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/outfile.h"
#include "base/text.h"
#include "suite/cpus/crc.h"

struct statfile_writer {
	int fd;
	int failed; /* errno of the first failure, or 0 */
	unsigned nsets;
	unsigned *requests; /* of each set */
	uint64_t last;	    /* number of the last interval */
	uint64_t intervals, samples;
	struct textbuf text; /* lines that are not in the file yet */
	size_t line;	     /* the beginning of the last line in text */
	uint32_t crc;	     /* of all bytes before the last line */
	struct statfile_crc table;
};

/* Append a tab and v, two digits at a time: an interval can have thousands of numbers. */
static void put_num(struct statfile_writer *w, uint64_t v)
{
	static const char pair[] = "00010203040506070809101112131415161718192021222324"
				   "25262728293031323334353637383940414243444546474849"
				   "50515253545556575859606162636465666768697071727374"
				   "75767778798081828384858687888990919293949596979899";
	char field[sizeof "\t18446744073709551615"];
	char *p = field + sizeof field;

	for (; v >= 10; v /= 100) {
		p -= 2;
		memcpy(p, pair + 2 * (v % 100), 2);
	}
	/* the first of an odd number of digits, or 0 */
	if (v || p == field + sizeof field)
		*--p = (char)('0' + v);
	*--p = '\t';
	textbuf_put(&w->text, p, (size_t)(field + sizeof field - p));
}

/* Append a tab and an id, which is -1 if not known. */
static void put_id(struct statfile_writer *w, int id)
{
	if (id < 0)
		textbuf_str(&w->text, "\t-1");
	else
		put_num(w, (uint64_t)id);
}

/* Append a tab and s. Control characters, which could end a field, and % become %XX. */
static void put_text(struct statfile_writer *w, const char *s)
{
	static const char hex[] = "0123456789ABCDEF";

	textbuf_char(&w->text, '\t');
	for (; *s; s++) {
		const unsigned char c = (unsigned char)*s;
		if (c >= 0x20 && c != '%' && c != 0x7f) {
			textbuf_char(&w->text, *s);
			continue;
		}
		const char escape[] = {'%', hex[c >> 4], hex[c & 15]};
		textbuf_put(&w->text, escape, sizeof escape);
	}
}

/* Append the checksum, which includes the tab before it. */
static void end_line(struct statfile_writer *w)
{
	static const char hex[] = "0123456789abcdef";
	struct textbuf *const b = &w->text;

	textbuf_char(b, '\t');
	if (b->failed)
		return;
	const uint32_t crc =
		statfile_crc(&w->table, w->crc, b->s + w->line, b->len - w->line);
	char sum[9];
	for (unsigned i = 0; i < 8; i++)
		sum[i] = hex[crc >> (28 - 4 * i) & 15];
	sum[8] = '\n';
	textbuf_put(b, sum, sizeof sum);
	w->crc = statfile_crc(&w->table, crc, sum, sizeof sum);
	w->line = b->len;
}

/* Write text to the file, in one call if write(2) writes all of it. */
static int flush(struct statfile_writer *w)
{
	size_t done = 0;

	if (w->text.failed)
		w->failed = ENOMEM;
	while (!w->failed && done < w->text.len) {
		const ssize_t n = write(w->fd, w->text.s + done, w->text.len - done);
		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			w->failed = errno;
	}
	w->text.len = 0;
	w->line = 0;
	errno = w->failed;
	return w->failed ? -1 : 0;
}

/* Returns -1 with EINVAL if the line or head is too long for the reader. */
static int put_head_line(struct statfile_writer *w)
{
	const size_t begin = w->line;

	end_line(w);
	if (w->line - begin <= STATFILE_LINE && w->line <= STATFILE_HEAD)
		return 0;
	errno = EINVAL;
	return -1;
}

static int put_set(struct statfile_writer *w, unsigned index, const struct row_set *set)
{
	if (!set->spec || set->n > STATFILE_REQUESTS) {
		errno = EINVAL;
		return -1;
	}
	w->requests[index] = set->n;
	textbuf_str(&w->text, "set");
	put_num(w, index);
	put_num(w, set->n);
	put_text(w, set->spec);
	if (put_head_line(w) == -1)
		return -1;
	for (unsigned i = 0; i < set->n; i++) {
		textbuf_str(&w->text, "request");
		put_num(w, set->pic[i]);
		put_text(w, set->event[i]);
		if (set->note && set->note[i])
			put_text(w, set->note[i]);
		if (put_head_line(w) == -1)
			return -1;
	}
	return 0;
}

static int put_head(struct statfile_writer *w, const struct statfile_head *h)
{
	textbuf_str(&w->text, "cpustat-samples\t1");
	end_line(w);
	textbuf_str(&w->text, "run");
	put_num(w, (uint64_t)h->unix_ns);
	put_num(w, (uint64_t)h->interval_ns);
	put_num(w, h->nsets);
	end_line(w);
	for (unsigned i = 0; i < h->nsets; i++)
		if (put_set(w, i, h->set[i]) == -1)
			return -1;
	return 0;
}

void statfile_drop(struct statfile_writer *w)
{
	if (!w)
		return;
	if (w->fd != -1)
		close(w->fd);
	free(w->text.s);
	free(w->requests);
	free(w);
}

/*
 * The head is put together before the file is opened: a bad head must not truncate a
 * file.
 */
static int start(struct statfile_writer *w, const char *path,
		 const struct statfile_head *h)
{
	statfile_crc_init(&w->table);
	w->nsets = h->nsets;
	w->requests = calloc(h->nsets, sizeof *w->requests);
	if (!w->requests || put_head(w, h) == -1)
		return -1;
	w->fd = outfile_open(path, 0);
	return w->fd == -1 ? -1 : flush(w);
}

struct statfile_writer *statfile_create(const char *path, const struct statfile_head *h)
{
	if (!strcmp(path, "-") || h->unix_ns < 0 || h->interval_ns < 0 || !h->nsets ||
	    h->nsets > STATFILE_SETS) {
		errno = EINVAL;
		return NULL;
	}
	struct statfile_writer *w = calloc(1, sizeof *w);
	if (!w)
		return NULL;
	w->fd = -1;
	if (start(w, path, h) == 0)
		return w;
	const int e = errno;
	statfile_drop(w);
	errno = e;
	return NULL;
}

int statfile_lock(const struct statfile_writer *w)
{
	return outfile_lock(w->fd);
}

static int sample_is_good(const struct cpu_sample *s, unsigned requests)
{
	if (s->cpu < 0 || s->cpu >= STATFILE_CPUS || s->core < -1 || s->socket < -1 ||
	    s->ns < 0)
		return 0;
	for (unsigned i = 0; i < requests; i++)
		if (s->value[i].quality > CPC_UNAVAILABLE)
			return 0;
	return 1;
}

static int interval_is_good(const struct statfile_writer *w, const struct cpu_interval *i)
{
	if (i->number <= w->last || i->set >= w->nsets ||
	    (uint64_t)i->n * w->requests[i->set] > STATFILE_VALUES)
		return 0;
	for (unsigned k = 0; k < i->n; k++)
		if (!sample_is_good(&i->sample[k], w->requests[i->set]) ||
		    (k && i->sample[k].cpu <= i->sample[k - 1].cpu))
			return 0;
	return 1;
}

/* Append v, or "=" if it equals before, which is common and halves the file. */
static void put_or_repeat(struct statfile_writer *w, uint64_t before, uint64_t v)
{
	if (v == before)
		textbuf_str(&w->text, "\t=");
	else
		put_num(w, v);
}

static void put_value(struct statfile_writer *w, const cpc_value_t *v)
{
	textbuf_char(&w->text, '\t');
	textbuf_str(&w->text, cpc_class_name(v->quality));
	if (v->quality == CPC_UNAVAILABLE) {
		textbuf_str(&w->text, "\t-\t-");
	} else {
		put_num(w, v->value);
		put_or_repeat(w, v->value, v->count);
	}
	put_num(w, v->enabled);
	put_or_repeat(w, v->enabled, v->running);
}

static void put_sample(struct statfile_writer *w, const struct cpu_sample *s,
		       unsigned requests)
{
	textbuf_str(&w->text, "cpu");
	put_num(w, (uint64_t)s->cpu);
	put_id(w, s->core);
	put_id(w, s->socket);
	put_num(w, (uint64_t)s->ns);
	put_num(w, s->tick);
	for (unsigned i = 0; i < requests; i++)
		put_value(w, &s->value[i]);
	end_line(w);
}

int statfile_write(struct statfile_writer *w, const struct cpu_interval *i)
{
	if (w->failed || !interval_is_good(w, i)) {
		errno = w->failed ? w->failed : EINVAL;
		return -1;
	}
	textbuf_str(&w->text, "interval");
	put_num(w, i->number);
	put_num(w, i->set);
	put_num(w, i->n);
	end_line(w);
	for (unsigned k = 0; k < i->n; k++)
		put_sample(w, &i->sample[k], w->requests[i->set]);
	w->last = i->number;
	w->intervals++;
	w->samples += i->n;
	return flush(w);
}

int statfile_end(struct statfile_writer *w, uint64_t skipped)
{
	textbuf_str(&w->text, "end");
	put_num(w, w->intervals);
	put_num(w, w->samples);
	put_num(w, skipped);
	end_line(w);
	flush(w);
	/* a network file system may report write errors only now */
	if (close(w->fd) == -1 && !w->failed)
		w->failed = errno;
	const int e = w->failed;
	w->fd = -1;
	statfile_drop(w);
	errno = e;
	return e ? -1 : 0;
}
