/* Signals to perfex while threads are traced. */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <libpctx.h>

/*
 * SIGINT, SIGTERM, SIGQUIT and SIGHUP go to the program, if a terminal has not sent them
 * there already; a second SIGINT ends the run (pctx_stop). What is ignored stays so.
 */
void signals_catch(pctx_t *pctx);

/* pctx is about to go away. */
void signals_forget(void);

/* Was there a second SIGINT? */
int signals_given_up(void);

#endif
