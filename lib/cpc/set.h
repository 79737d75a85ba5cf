/* Sets, and the lists of requests that duplicated sets share. */
#ifndef CPC_SET_H
#define CPC_SET_H

#include "cpc/cpc.h"

/* Add a reference to a list of requests, and drop one; the last drop frees the list. */
struct requests *requests_keep(struct requests *r);
void requests_drop(struct requests *r);

/* Free what a request owns; the list that it belongs to knows its engine. */
void request_clear(const struct requests *r, struct request *q);

/*
 * Move the values that the engine has read into val[0..ncounted-1] to the indices of their
 * requests; requests that only take records get 0. Async-signal-safe.
 */
void requests_spread(const struct requests *r, struct count *val);

#endif
