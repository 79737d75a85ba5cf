/* The names of the model's counters, and of the values that are computed from them. */
#ifndef SIM_SHARED_VOCAB_H
#define SIM_SHARED_VOCAB_H

#include "sim_counters.h"

/* How well the model counts an event: column sim= of the event tables. */
enum simclass { SIM_NONE, SIM_EXACT, SIM_MODELLED, SIM_ESTIMATED, SIM_ZERO };

struct sim_word {
	const char *name;
	enum simclass class;
	const char *means;
};

extern const struct sim_word sim_vocab[SIM_NVOCAB];

#endif
