/*
 * The calls around the start of a program: an engine may change the command, and reports
 * afterwards.
 */
#include <errno.h>
#include <stdlib.h>

#include <libcpc.h>
#include "cpc/cpc.h"
#include "cpc/session.h"
#include "cpc/set.h"

/* Returns the evsels of all sets, *n of them, for free(); NULL with ENOMEM. */
static const struct evsel **all_sels(unsigned nsets, cpc_set_t *const *sets, unsigned *n)
{
	*n = 0;
	for (unsigned i = 0; i < nsets; i++)
		*n += sets[i]->reqs->ncounted;
	const struct evsel **sel = calloc(*n + 1, sizeof *sel);
	for (unsigned i = 0, k = 0; sel && i < nsets; i++)
		for (unsigned j = 0; j < sets[i]->reqs->ncounted; j++)
			sel[k++] = sets[i]->reqs->sel[j];
	return sel;
}

static char *const *command(cpc_t *cpc, char *const *argv, unsigned nsets,
			    cpc_set_t *const *sets)
{
	struct why why;
	unsigned n;

	const struct evsel **sel = all_sels(nsets, sets, &n);
	if (!sel)
		return NULL;
	char *const *words =
		cpc->scope.ops->command(cpc->scope.engine, argv, sel, n, &why);
	if (!words)
		cpc_report(cpc, "cpc_command", CPC_REFUSED, "%s", why.text);
	const int e = errno;
	free(sel);
	errno = e;
	return words;
}

char *const *cpc_command(cpc_t *cpc, char *const *argv, unsigned nsets,
			 cpc_set_t *const *sets)
{
	int valid = session_is_open(cpc) && argv && argv[0] && (nsets == 0 || sets);

	for (unsigned i = 0; valid && i < nsets; i++)
		valid = set_is_of(cpc, sets[i]);
	if (!valid) {
		errno = EINVAL;
		return NULL;
	}
	if (!cpc->scope.ops->command)
		return argv;
	cpc_lock(cpc);
	char *const *words = command(cpc, argv, nsets, sets);
	cpc_unlock(cpc);
	return words;
}

int session_set_by_code(cpc_t *cpc, int on)
{
	const struct engine_by_code *by_code = cpc->scope.ops->by_code;

	if (!by_code) {
		errno = ENOTSUP;
		return -1;
	}
	by_code->set(cpc->scope.engine, on);
	return 0;
}

int session_read_by_code(cpc_t *cpc, unsigned nsets, cpc_set_t *const *sets, void *arg,
			 int (*fn)(void *arg, const struct engine_image *image))
{
	unsigned n;

	const struct evsel **sel = all_sels(nsets, sets, &n);
	if (!sel)
		return -1;
	const int rc = cpc->scope.ops->by_code->read(cpc->scope.engine, sel, n, arg, fn);
	const int e = errno;
	free(sel);
	errno = e;
	return rc;
}

unsigned cpc_run_notes(cpc_t *cpc, void *arg, void (*fn)(void *arg, const char *text))
{
	if (!session_is_open(cpc) || !fn) {
		errno = EINVAL;
		return 0;
	}
	return cpc->scope.ops->words->run_notes
		       ? cpc->scope.ops->words->run_notes(cpc->scope.engine, arg, fn)
		       : 0;
}

int cpc_run_failed(cpc_t *cpc)
{
	if (!cpc) {
		errno = EINVAL;
		return 0;
	}
	const struct engine_words *words = cpc->scope.ops->words;
	return words->run_failed && words->run_failed(cpc->scope.engine);
}

const char *cpc_engine_notice(cpc_t *cpc)
{
	if (!session_is_open(cpc))
		return NULL;
	return cpc->scope.ops->words->notice
		       ? cpc->scope.ops->words->notice(cpc->scope.engine)
		       : NULL;
}
