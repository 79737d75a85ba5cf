#include "engine/kernel/candidates.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int bad(void)
{
	errno = EINVAL;
	return -1;
}

/*
 * Names may begin with a digit (32_BYTE_INSTRUCTION_CACHE_FETCH), so a factor is digits
 * and '*'.
 */
static char *factor(char *p, uint64_t *val)
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
		return bad();
	*rest = list[len] ? list + len + 1 : NULL;
	memcpy(c->text, list, len);
	c->text[len] = '\0';
	c->approximate = c->text[0] == '~';
	strcpy(c->buf, c->text + c->approximate);

	char *p = factor(c->buf, &c->factor), *save = NULL;
	if (!c->factor || *p == '+' || strstr(p, "++") || !*p || p[strlen(p) - 1] == '+')
		return bad();
	c->n = 0;
	for (char *t = strtok_r(p, "+", &save); t; t = strtok_r(NULL, "+", &save)) {
		if (c->n == KERNEL_MAP_TERMS)
			return bad();
		c->term[c->n++] = t;
	}
	return 1;
}
