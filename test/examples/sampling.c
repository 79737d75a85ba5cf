/* Records where every 10th event happens, of the kind that $EVENT names. */
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <libcpc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Fewer pages than a huge page has, which would be a single fault. */
enum { PERIOD = 10, NRECS = 8, PAGES = 400, PAGE = 4096 };

static int pc_item = -1;

static void find_pc(void *arg, cpc_set_t *set, int request, const char *name, int item)
{
	(void)arg, (void)set, (void)request;
	if (name[0] == 'p' && name[1] == 'c' && !name[2])
		pc_item = item;
}

/* Fetches records until the buf is not full: a full buf may leave some behind. */
static unsigned fetch(cpc_t *cpc, cpc_set_t *set, cpc_buf_t *buf, uint64_t *lo,
		      uint64_t *hi)
{
	unsigned all = 0;
	uint_t n;

	do {
		if (cpc_set_sample(cpc, set, buf) == -1 ||
		    cpc_buf_smpl_rec_count(cpc, buf, 0, &n) == -1)
			err(1, "cannot fetch records");
		for (uint_t i = 0; i < n; i++) {
			const uint64_t *rec = cpc_buf_smpl_get_record(cpc, buf, 0, i);

			if (rec[pc_item] < *lo)
				*lo = rec[pc_item];
			if (rec[pc_item] > *hi)
				*hi = rec[pc_item];
		}
		all += n;
	} while (n == NRECS);
	return all;
}

int main(void)
{
	const char *event = getenv("EVENT") ? getenv("EVENT") : "page-faults";
	const cpc_attr_t attr[] = {{"smpl_nrecs", NRECS}};
	uint64_t lo = UINT64_MAX, hi = 0;
	unsigned records = 0;

	cpc_t *cpc = cpc_open(CPC_VER_CURRENT);
	cpc_set_t *set = cpc ? cpc_set_create(cpc) : NULL;
	if (!set || cpc_set_add_request(cpc, set, event, UINT64_MAX - (PERIOD - 1),
					CPC_COUNT_USER | CPC_HW_SMPL, 1, attr) == -1)
		err(1, "%s", event);
	errno = 0;
	cpc_walk_smpl_recitems_req(cpc, set, 0, NULL, find_pc);
	if (errno || pc_item == -1)
		err(1, "no record items");
	volatile char *p = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	cpc_buf_t *buf = cpc_buf_create(cpc, set);
	if (p == MAP_FAILED || !buf || cpc_bind_curlwp(cpc, set, 0) == -1)
		err(1, "cannot sample");
	for (int i = 0; i < PAGES; i++) {
		p[(size_t)i * PAGE] = 1;
		if (i % 200 == 199)
			records += fetch(cpc, set, buf, &lo, &hi);
	}
	printf("%u records, pc from %#" PRIx64 " to %#" PRIx64 "\n", records, lo, hi);
	return cpc_close(cpc);
}
