/*
 * lwps [SECONDS]: for 2 seconds or as many as given, 64 LWPs bind, sample, unbind and
 * destroy sets at random. Sets overflow, some are inherited, and some are shared, so that
 * another LWP may unbind them. Prints how often each action was done. The program is
 * built with ThreadSanitizer, which reports data races and makes the exit status 66.
 */
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <libcpc.h>

enum { LWPS = 64, SETS = 8, PAGES = 40 };

static cpc_t *cpc;
static volatile int stop;
static unsigned long binds, samples, signals, heirs, refused;

/* Sets that all LWPs use; each LWP also uses sets of its own. */
static cpc_set_t *shared[SETS];

static void count(unsigned long *n)
{
	__atomic_add_fetch(n, 1, __ATOMIC_RELAXED);
}

/* The set and the buf that an LWP's handler uses; NULL: the LWP has none. */
static _Thread_local struct {
	cpc_set_t *set;
	cpc_buf_t *buf;
} own;

static void on_emt(int signo, siginfo_t *info, void *context)
{
	const int e = errno;

	(void)signo, (void)info, (void)context;
	count(&signals);
	if (own.set) {
		cpc_set_sample(cpc, own.set, own.buf);
		cpc_set_restart(cpc, own.set);
	}
	errno = e;
}

static cpc_set_t *make_set(void)
{
	cpc_set_t *set = cpc_set_create(cpc);

	if (!set ||
	    cpc_set_add_request(cpc, set, "page-faults", -10,
				CPC_COUNT_USER | CPC_OVF_NOTIFY_EMT, 0, NULL) == -1 ||
	    cpc_set_add_request(cpc, set, "task-clock", 0, CPC_COUNT_USER, 0, NULL) == -1)
		errx(1, "no set");
	return set;
}

/* Causes page faults, and with them signals. */
static void work(void)
{
	char *p = malloc(PAGES * 4096L * 8);

	if (!p)
		err(1, NULL);
	for (int i = 0; i < PAGES; i++)
		((volatile char *)p)[i * 4096L * 8] = 1;
	free(p);
}

static void *heir(void *arg)
{
	cpc_set_t *set = arg;
	cpc_buf_t *buf = cpc_buf_create(cpc, set);

	count(&heirs);
	if (buf && cpc_set_sample(cpc, set, buf) == 0)
		count(&samples);
	cpc_set_restart(cpc, set);
	work();
	cpc_buf_destroy(cpc, buf);
	return NULL;
}

/* Does a random action. */
static void random_action(unsigned *seed, cpc_set_t *set, cpc_buf_t *buf)
{
	pthread_t thread;

	switch (rand_r(seed) % 8) {
	case 0:
	case 1:
		if (cpc_bind_curlwp(cpc, set,
				    rand_r(seed) & 1 ? CPC_BIND_LWP_INHERIT : 0) == 0)
			count(&binds);
		else
			count(&refused);
		break;
	case 2:
		cpc_unbind(cpc, set);
		break;
	case 3:
		if (pthread_create(&thread, NULL, heir, set) == 0)
			pthread_join(thread, NULL);
		break;
	case 4:
		cpc_disable(cpc);
		cpc_request_preset(cpc, 0, -5);
		cpc_set_restart(cpc, set);
		break;
	default:
		work();
		if (cpc_set_sample(cpc, set, buf) == 0)
			count(&samples);
	}
}

static void *lwp(void *arg)
{
	unsigned seed = (unsigned)(uintptr_t)arg;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		cpc_set_t *mine = make_set();
		cpc_buf_t *buf = cpc_buf_create(cpc, mine);
		for (int i = 0; i < 20; i++) {
			cpc_set_t *set =
				rand_r(&seed) & 1 ? mine : shared[rand_r(&seed) % SETS];
			own.buf = buf;
			own.set = set;
			random_action(&seed, set, buf);
		}
		own.set = NULL;
		if (rand_r(&seed) & 1)
			cpc_unbind(cpc, mine);
		cpc_set_destroy(cpc, mine);
		cpc_buf_destroy(cpc, buf);
	}
	return NULL;
}

static void ignore_message(const char *fn, int subcode, const char *fmt, va_list ap)
{
	(void)fn, (void)subcode, (void)fmt, (void)ap;
}

int main(int argc, char *argv[])
{
	const unsigned seconds = argc > 1 ? (unsigned)atoi(argv[1]) : 2;
	const struct sigaction act = {.sa_sigaction = on_emt,
				      .sa_flags = SA_SIGINFO | SA_RESTART};
	pthread_t thread[LWPS];

	cpc = cpc_open(CPC_VER_CURRENT);
	if (!cpc || sigaction(SIGEMT, &act, NULL) == -1)
		err(1, "cpc_open");
	cpc_seterrhndlr(cpc, ignore_message);
	for (int i = 0; i < SETS; i++)
		shared[i] = make_set();
	for (uintptr_t i = 0; i < LWPS; i++)
		if (pthread_create(&thread[i], NULL, lwp, (void *)(i + 1)))
			errx(1, "pthread_create");
	struct timespec left = {.tv_sec = (time_t)seconds};
	while (nanosleep(&left, &left) == -1)
		;
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < LWPS; i++)
		pthread_join(thread[i], NULL);
	cpc_close(cpc);
	printf("%lu binds %lu samples %lu signals %lu heirs %lu refused\n", binds,
	       samples, signals, heirs, refused);
	return !(binds && samples && signals && heirs);
}
