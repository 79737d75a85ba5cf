/* Counts two events, which $EVENT0 and $EVENT1 name, in a part of a program. */
#include <err.h>
#include <inttypes.h>
#include <libcpc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { ROUNDS = 5, PAGE = 4096 };

/* The measured part: touches new memory, with a page fault for each page. */
static void work(int pages)
{
	const size_t size = (size_t)pages * PAGE;
	volatile char *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		err(1, "mmap");
	for (int i = 0; i < pages; i++)
		p[(size_t)i * PAGE] = 1;
	munmap((void *)p, size);
}

static int add(cpc_t *cpc, cpc_set_t *set, const char *variable, const char *otherwise)
{
	const char *event = getenv(variable) ? getenv(variable) : otherwise;
	const int index =
		cpc_set_add_request(cpc, set, event, 0, CPC_COUNT_USER, 0, NULL);

	if (index == -1)
		err(1, "%s", event);
	return index;
}

int main(void)
{
	cpc_t *cpc = cpc_open(CPC_VER_CURRENT);
	cpc_set_t *set = cpc ? cpc_set_create(cpc) : NULL;
	uint64_t val0, val1;

	if (!set)
		err(1, "cannot open a session");
	const int index0 = add(cpc, set, "EVENT0", "page-faults");
	const int index1 = add(cpc, set, "EVENT1", "minor-faults");
	cpc_buf_t *before = cpc_buf_create(cpc, set), *after = cpc_buf_create(cpc, set);
	if (!before || !after || cpc_bind_curlwp(cpc, set, 0) == -1)
		err(1, "cannot count");
	for (int round = 1; round <= ROUNDS; round++) {
		if (cpc_set_sample(cpc, set, before) == -1)
			err(1, "cpc_set_sample");
		work(round * 10);
		if (cpc_set_sample(cpc, set, after) == -1)
			err(1, "cpc_set_sample");
		cpc_buf_sub(cpc, after, after, before);
		cpc_buf_get(cpc, after, index0, &val0);
		cpc_buf_get(cpc, after, index1, &val1);
		printf("%d %" PRIu64 " %" PRIu64 "\n", round, val0, val1);
	}
	return cpc_close(cpc);
}
