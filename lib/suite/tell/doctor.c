#include "suite/tell/doctor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/holder.h"
#include "base/procfs.h"
#include "cpc/cpc.h"
#include "cpc/lifetimes.h"
#include "pctx/message.h"
#include "pctx/start.h"

/* Print a line of the report to the FILE arg. */
static void report(void *arg, enum finding finding, const char *what, const char *text)
{
	static const char *const state[] = {
		[FINDING_OK] = "ok",
		[FINDING_LIMITED] = "limited",
		[FINDING_MISSING] = "missing",
		[FINDING_INFO] = "-",
	};

	fprintf(arg, "%-8s %-24s %s\n", state[finding], what, text);
}

static void check_tracing(FILE *out)
{
	const int e = pctx_try_seize(), scope = procfs_yama();
	char rule[160];

	if (e == EPERM && scope >= 2)
		report(out, FINDING_MISSING, "ptrace",
		       pctx_seize_rule(rule, sizeof rule));
	else if (e)
		report(out, FINDING_MISSING, "ptrace",
		       e == EPERM ? "programs cannot be tracked: seccomp or a security "
				    "module forbids ptrace(2)"
				  : strerror(e));
	else
		report(out, FINDING_OK, "ptrace",
		       "programs that are started can be tracked");
	if (e == 0 && scope > 0 && geteuid() != 0)
		report(out, FINDING_LIMITED, "attach (-p)",
		       "kernel.yama.ptrace_scope forbids attaching without "
		       "CAP_SYS_PTRACE; run as root");
	else if (e == 0)
		report(out, FINDING_OK, "attach (-p)",
		       geteuid() == 0 ? "every process can be attached to"
				      : "processes of the same user can be attached to");
}

static void check_descriptors(FILE *out)
{
	struct rlimit r;
	char text[160];

	if (getrlimit(RLIMIT_NOFILE, &r) == -1)
		return;
	snprintf(text, sizeof text,
		 "%llu of up to %llu; each live LWP needs one for each event of its set",
		 (unsigned long long)r.rlim_cur, (unsigned long long)r.rlim_max);
	report(out, r.rlim_max < 1024 ? FINDING_LIMITED : FINDING_OK, "file descriptors",
	       text);
}

/* Report on the simulation too if the session has another engine. */
static void check_simulation(FILE *out, const struct engine_ops *ops)
{
	struct why why;

	if (ops == &engine_sim)
		return;
	struct engine *sim = engine_sim.open(&why);
	if (sim)
		engine_sim.words->doctor(sim, out, report);
	engine_sim.close(sim);
}

/* Can these means take the place of a tracer? Returns 0 with the reason. */
static int sees_lwps(const cpc_t *cpc, const struct engine_lifetimes *ops,
		     const struct evsel *sel, const struct holder *h, struct why *why)
{
	const struct engine_tree tree = {.holder = h->pid};
	struct lifetimes *l = ops->open(cpc->scope.engine, &tree, &sel, 1, why);

	/* The words about records advise at length on the event. */
	if (!l && !ops->living && (errno == EACCES || errno == EPERM))
		snprintf(why->text, sizeof why->text, "%s", strerror(errno));
	if (!l)
		return 0;
	const int works = lifetimes_engine_has_end(ops, l, holder_probe(h));
	ops->close(l);
	if (!works)
		snprintf(why->text, sizeof why->text, "%s", lifetimes_no_end);
	return works;
}

static void check_lifetimes(FILE *out, const cpc_t *cpc,
			    const struct engine_lifetimes *lifetimes, const char *what,
			    const char *text)
{
	const struct engine_ops *ops = cpc->scope.ops;
	const struct engine_request req = {.name = "page-faults",
					   .flags = CPC_COUNT_USER};
	const int none[2] = {-1, -1};
	struct holder h;
	struct why why;

	if (!lifetimes || holder_start(&h, none, NULL, NULL) == -1)
		return;
	struct evsel *sel = ops->encode(cpc->scope.engine, &req, &why);
	if (sel && sees_lwps(cpc, lifetimes, sel, &h, &why))
		report(out, FINDING_OK, what, text);
	else
		report(out, FINDING_MISSING, what, why.text);
	ops->drop(sel);
	holder_end(&h);
}

char *doctor_text(cpc_t *cpc)
{
	const struct engine_ops *ops = cpc->scope.ops;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	report(out, FINDING_INFO, "counters", ops->cciname(cpc->scope.engine));
	ops->words->doctor(cpc->scope.engine, out, report);
	check_simulation(out, ops);
	check_tracing(out);
	check_lifetimes(out, cpc, ops->lifetimes, "records of LWPs",
			"each LWP can be counted without a tracer (--tracker=records)");
	check_lifetimes(out, cpc, ops->bpf_lifetimes, "BPF programs",
			"each LWP can be counted and sampled without a tracer "
			"(--tracker=bpf)");
	check_descriptors(out);
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}
