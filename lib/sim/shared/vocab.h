/* The names of the model's counters and of what is computed of them. */
#ifndef SIM_VOCAB_H
#define SIM_VOCAB_H

#include "sim_counters.h"
#include "table/table.h"

struct sim_word {
	const char *name;
	enum simclass class;
	const char *means;
};

extern const struct sim_word sim_vocab[SIM_NVOCAB];

#endif
