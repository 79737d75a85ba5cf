#include "options.h"

void options_lwprec_parse(struct options_shared *s, int c)
{
	options_shared_parse(s, c == 'h' ? OPTIONS_HELP : c);
}
