#include "engine/kernel/candidates.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/kernel/modes.h"
#include "engine/kernel/own.h"
#include "engine/kernel/pfm.h"
#include "engine/why.h"
#include "table/table.h"

static int malformed(void)
{
	errno = EINVAL;
	return -1;
}

/*
 * Read a factor: digits and '*', since a name may begin with a digit too
 * (32_BYTE_INSTRUCTION_CACHE_FETCH). Returns the text after the factor.
 */
static char *read_factor(char *p, uint64_t *val)
{
	const size_t digits = strspn(p, "0123456789");

	*val = 1;
	if (p[digits] != '*')
		return p;
	*val = digits ? strtoull(p, NULL, 10) : 0;
	return p + digits + 1;
}

int kernel_candidates_next(const char *list, const char **rest,
			   struct kernel_candidate *c)
{
	if (!list || !*list)
		return 0;
	const size_t len = strcspn(list, "|");
	if (len >= sizeof(c->text))
		return malformed();
	*rest = list[len] ? list + len + 1 : NULL;
	memcpy(c->text, list, len);
	c->text[len] = '\0';
	c->approximate = c->text[0] == '~';
	strcpy(c->buf, c->text + c->approximate);

	char *p = read_factor(c->buf, &c->factor), *save = NULL;
	if (!c->factor || *p == '+' || strstr(p, "++") || !*p || p[strlen(p) - 1] == '+')
		return malformed();
	c->n = 0;
	for (char *t = strtok_r(p, "+", &save); t; t = strtok_r(NULL, "+", &save)) {
		if (c->n == KERNEL_EVSEL_TERMS)
			return malformed();
		c->term[c->n++] = t;
	}
	return 1;
}

/*
 * Encode and open one candidate. *encoded: it could be encoded, so the kernel or the PMU
 * refused it if -1 is returned.
 */
static int try_candidate(const struct select_env *env, const struct engine_request *req,
			 const struct kernel_candidate *c, struct evsel *s, int *encoded,
			 struct why *why)
{
	*encoded = 0;
	s->factor = c->factor;
	s->class = c->approximate ? CPC_APPROXIMATE : CPC_EXACT;
	for (s->n = 0; s->n < c->n; s->n++)
		if (kernel_pfm_encode(c->term[s->n], req->flags, &s->ev[s->n], why) ||
		    s->ev[s->n].foreign)
			return -1;
	*encoded = 1;
	for (unsigned i = 0; i < c->n; i++)
		if (kernel_own_check_listed(env, req->name, c->term[i], &s->ev[i], why))
			return -1;
	kernel_evsel_spread(env, s);
	s->together = 0;
	return kernel_modes_settle(env, s, why);
}

/*
 * These errors mean that the machine lacks the event, not that the caller lacks rights.
 */
static int may_try_next(int err)
{
	return err == ENOENT || err == EINVAL || err == EOPNOTSUPP || err == ENODEV;
}

/* The note also shows how current machines differ from the table's processor. */
static int describe_mapped(struct evsel *s, const struct event *row,
			   const char *candidate, struct why *why)
{
	const struct evcol *note = evtab_col(row, "hostnote");
	char how[2 * KERNEL_CANDIDATES_LEN];

	if (note)
		snprintf(how, sizeof(how), "as %s (%s)", candidate, note->text);
	else
		snprintf(how, sizeof(how), "as %s", candidate);
	return kernel_modes_describe(s, how, why);
}

int kernel_candidates_select(const struct select_env *env,
			     const struct engine_request *req, struct evsel *s,
			     struct why *why)
{
	const char *list = req->row->host;
	struct kernel_candidate c;
	int rc, encoded, refused = 0;

	while ((rc = kernel_candidates_next(list, &list, &c)) > 0) {
		struct why this;
		if (try_candidate(env, req, &c, s, &encoded, &this) == 0) {
			return describe_mapped(s, req->row, c.text, why);
		}
		const int err = errno;
		if (encoded && !refused) {
			refused = err;
			*why = this;
		}
		if (encoded && !may_try_next(err)) {
			*why = this;
			errno = err;
			return -1;
		}
	}
	if (rc < 0)
		return why_refuse(why, EINVAL, "%s: bad list of candidates: %s",
				  req->name, list);
	if (!refused)
		return why_refuse(why, ENOENT,
				  "%s: no event of this processor counts it (tried %s)",
				  req->name, req->row->host);
	errno = refused;
	return -1;
}
