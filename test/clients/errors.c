/*
 * errors: a client whose error handlers only call vfprintf(3), as the examples of
 * Solaris' manual do. It makes mistakes, and prints the errno of each on stdout.
 */
#include <libcpc.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void on_cpc(const char *fn, int subcode, const char *fmt, va_list ap)
{
	(void)fn, (void)subcode;
	vfprintf(stderr, fmt, ap);
}

static void on_pctx(const char *fn, const char *fmt, va_list ap)
{
	(void)fn;
	vfprintf(stderr, fmt, ap);
}

int main(void)
{
	char program[] = "/no/such%sprogram", picnum[] = "picnum", attr[] = "no%sattr";
	char *argv[] = {program, NULL};
	cpc_t *cpc = cpc_open(CPC_VER_CURRENT);
	cpc_set_t *set = cpc_set_create(cpc);
	const cpc_attr_t high[] = {{picnum, 100000}}, unknown[] = {{attr, 1}};
	struct {
		const char *event;
		const cpc_attr_t *attrs;
	} const mistakes[] = {{"no%such%nevent", NULL},
			      {"page-faults", high},
			      {"page-faults", unknown}};

	cpc_seterrhndlr(cpc, on_cpc);
	for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++)
		if (cpc_set_add_request(cpc, set, mistakes[i].event, 0, CPC_COUNT_USER,
					mistakes[i].attrs != NULL,
					mistakes[i].attrs) == -1)
			printf("%s\n", strerror(errno));
	/* A set without requests cannot be bound; no text says more than errno. */
	if (cpc_bind_curlwp(cpc, set, 0) == -1)
		printf("%s\n", strerror(errno));
	if (!pctx_create(argv[0], argv, NULL, 1, on_pctx))
		printf("%s\n", strerror(errno));
	return cpc_close(cpc);
}
