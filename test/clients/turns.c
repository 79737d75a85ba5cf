/*
 * turns EVENT...: a client whose set of R10000 events has more requests than that
 * processor has counters. It prints "class count" of each, or the error of the bind.
 */
#include <inttypes.h>
#include <opencpc.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	cpc_t *cpc = cpc_open_cpu(CPC_VER_CURRENT, "r10000", NULL);
	cpc_set_t *set = cpc ? cpc_set_create(cpc) : NULL;
	cpc_value_t v;

	for (int i = 1; i < argc; i++)
		if (!set || cpc_set_add_request(cpc, set, argv[i], 0, CPC_COUNT_USER, 0,
						NULL) == -1)
			return 1;
	cpc_buf_t *buf = cpc_buf_create(cpc, set);
	if (cpc_bind_curlwp(cpc, set, 0) == 0 ||
	    cpc_set_flags(cpc, set, CPC_SET_MULTIPLEX) == -1 ||
	    cpc_bind_curlwp(cpc, set, 0) == -1 || cpc_set_sample(cpc, set, buf) == -1)
		return 2;
	for (int i = 0; i < argc - 1; i++)
		if (cpc_buf_value(cpc, buf, i, &v) == 0)
			printf("%s %" PRIu64 "\n", cpc_class_name(v.quality), v.value);
	return cpc_close(cpc);
}
