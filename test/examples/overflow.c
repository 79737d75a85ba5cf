/* Gets a signal after every 40 events, of the kind that $EVENT names. */
#include <err.h>
#include <inttypes.h>
#include <libcpc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Fewer pages than a huge page has, which would be a single fault. */
enum { PERIOD = 40, PAGES = 420, PAGE = 4096 };

static cpc_t *cpc;
static cpc_set_t *set;
static cpc_buf_t *buf;
static volatile sig_atomic_t signals, others;
static void *volatile pc;
static volatile uint64_t first;

/* The counter went on from 0 until it froze; it stays frozen until the restart. */
static void overflow(int sig, siginfo_t *info, void *context)
{
	uint64_t val;

	(void)context;
	if (sig != SIGEMT || info->si_code != EMT_CPCOVF ||
	    cpc_set_sample(cpc, set, buf) == -1 || cpc_buf_get(cpc, buf, 0, &val) == -1) {
		others++;
		return;
	}
	if (signals++ == 0)
		first = val;
	pc = info->si_addr;
	cpc_set_restart(cpc, set);
}

int main(void)
{
	const char *event = getenv("EVENT") ? getenv("EVENT") : "page-faults";
	struct sigaction act = {.sa_sigaction = overflow,
				.sa_flags = SA_RESTART | SA_SIGINFO};

	sigemptyset(&act.sa_mask);
	if (sigaction(SIGEMT, &act, NULL) == -1)
		err(1, "sigaction");
	cpc = cpc_open(CPC_VER_CURRENT);
	set = cpc ? cpc_set_create(cpc) : NULL;
	if (!set ||
	    cpc_set_add_request(cpc, set, event, UINT64_MAX - (PERIOD - 1),
				CPC_COUNT_USER | CPC_OVF_NOTIFY_EMT, 0, NULL) == -1)
		err(1, "%s", event);
	volatile char *p = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	buf = cpc_buf_create(cpc, set);
	if (p == MAP_FAILED || !buf || cpc_bind_curlwp(cpc, set, 0) == -1)
		err(1, "cannot count");
	for (int i = 0; i < PAGES; i++)
		p[(size_t)i * PAGE] = 1;
	cpc_unbind(cpc, set);
	printf("%d signals, %d others, first at %" PRIu64 ", last at pc %p\n",
	       (int)signals, (int)others, first, pc);
	return cpc_close(cpc);
}
