/*
 * Reads any bytes as the records file of a simulated run, and makes recordings of its
 * images: all reads stay within the file, and end. Build with clang
 * -fsanitize=fuzzer,address,undefined.
 */
#include "engine/sim/image.h"

#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "fuzz.h"
#include "suite/simulated/image.h"

/* Of the file: records of a ring, images that are read, units that have bytes. */
enum { ROOM = 4, IMAGES = 3, UNITS = 32 };

static void make(struct sim_image_file *f)
{
	static const char *const names[] = {"ire", "bre", "dme", "br_cond_tk", "store"};
	struct records_head head = {.room = ROOM};
	struct why why;

	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		check(sim_record_add(&head, names[i], i < 3, &why) == 0, "known events");
	check(sim_image_make(f, &head) == 0, "cannot make the file");
}

/*
 * Write the first 8 bytes to the head, as numbers of images and of units; then, for each
 * unit, as many bytes as a number of 2 bytes before them says.
 */
static void scribble(int fd, const uint8_t *data, size_t size)
{
	check(pwrite(fd, data, 8, offsetof(struct records_head, nimages)) == 8, "head");
	data += 8;
	size -= 8;
	for (unsigned unit = 0; unit < UNITS && size >= 2; unit++) {
		const size_t wanted = bytes_get16(data), left = size - 2;
		const size_t n = wanted < left ? wanted : left;

		check(pwrite(fd, data + 2, n, (off_t)records_offset(unit)) == (ssize_t)n,
		      "cannot write a unit");
		data += 2 + n;
		size -= 2 + n;
	}
}

/* Read all that the image points to. Returns a sum, so that no read is left out. */
static size_t read_all(const struct sim_image *image)
{
	size_t sum = strlen(image->program);

	for (size_t i = 0; i < image->argv_size; i++)
		sum += (size_t)image->argv[i];
	for (size_t i = 0; i < image->nmapping; i++) {
		const struct sim_image_mapping *const m = &image->mapping[i];

		check(m->start < m->end, "a mapping has bytes");
		sum += m->path ? strlen(m->path) : 0; /* NULL: no file */
		for (size_t k = 0; k < m->head_size; k++)
			sum += m->head[k];
	}
	for (size_t i = 0; i < image->nring; i++) {
		const struct sim_image_ring *const r = &image->ring[i];

		check(r->n <= ROOM, "a ring has at most its room");
		sum += r->name ? strlen(r->name) : 0;
		for (uint64_t k = 0; k < r->n; k++)
			sum += r->record[k].kind;
	}
	return sum;
}

static void check_counts(const struct sim_image *image, const struct records_head *head)
{
	for (size_t i = 0; i < image->ncount; i++) {
		const struct sim_image_count *const c = &image->count[i];

		check(c->event < head->nevents, "the event of a count");
		check(!i || c[-1].event < c->event ||
			      (c[-1].event == c->event && c[-1].pc < c->pc),
		      "counts are in order");
	}
}

static void read_image(const struct sim_image_file *f, uint32_t i)
{
	struct recording recording;
	struct sim_image image;
	volatile size_t sum;

	if (sim_image_read(f, i, &image) == -1)
		return;
	sum = read_all(&image);
	(void)sum;
	check_counts(&image, &f->head);
	if (simulated_recording(&recording, &image, &f->head, "fuzz") == 0)
		simulated_free(&recording);
	simulated_missed(&image);
	sim_image_free(&image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sim_image_file f = {.fd = -1};
	int incomplete;

	if (size < 8)
		return 0;
	make(&f);
	scribble(f.fd, data, size);
	const uint32_t n = sim_image_find(&f, &incomplete);
	for (uint32_t i = 0; i < n && i < IMAGES; i++)
		read_image(&f, i);
	sim_image_close(&f);
	return 0;
}
