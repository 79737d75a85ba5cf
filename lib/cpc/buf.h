/* Bufs, which hold samples of sets. */
#ifndef CPC_BUF_H
#define CPC_BUF_H

#include "cpc/cpc.h"

/* Returns 1 if buf has room for the values and records of these requests. */
int buf_fits(const cpc_buf_t *buf, const struct requests *r);

/* Make buf a buf of these requests, for which it must have room. */
void buf_take(cpc_buf_t *buf, struct requests *r);

/* Set the presets of a sample of these requests to those that the requests were added with. */
void buf_set_presets(cpc_buf_t *buf, const struct requests *r);

#endif
