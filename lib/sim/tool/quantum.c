/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/quantum.h"

#include "libvex_guest_amd64.h"
#include "libvex_trc_values.h"

#include "sim/model/model_state.h"
#include "sim/tool/model.h"
#include "sim/tool/tool.h"

/* The core gives each turn this many blocks (SCHEDULING_QUANTUM of scheduler.c). */
enum { LONGEST = 100000 };

/* From pub_core_dispatch_asm.h: a jump whose destination the core is to link. */
enum { CHAIN_ME_TO_FAST_EP = 51 };

/* After an uncontended turn, the next one is this many times longer. */
enum { GROWTH = 8 };

static struct {
	VexGuestAMD64State *guest; /* registers of the LWP that runs, or ran last */
	UInt length;		   /* blocks of a turn */
	int is_contended;	   /* LWPs contended for a line in this turn */
} quantum = {.length = LONGEST};

void quantum_begin(void)
{
	if (quantum.is_contended)
		quantum.length = tool.machine->turn;
	else if (quantum.length < LONGEST)
		quantum.length *= GROWTH;
	quantum.is_contended = 0;
	model_sim.sharing.turn++;
}

void quantum_share(void)
{
	quantum.length = tool.machine->turn;
}

void quantum_end_sharing(void)
{
	quantum.length = LONGEST;
}

/*
 * The register is the number of blocks that are left, which the code of each block
 * decrements. The core takes the value that it finds for the truth.
 */
static void shorten(UInt to)
{
	if (quantum.guest->host_EvC_COUNTER > to)
		quantum.guest->host_EvC_COUNTER = to;
}

static void contended(void)
{
	quantum.is_contended = 1;
	shorten(tool.machine->turn);
}

void quantum_open(void)
{
	model_sim.sharing.contended = contended;
}

/*
 * Generated code returned for this reason. Does the counter contain a block that it would
 * not contain if the code had been translated and linked before? A block that must be
 * translated anew has not been executed. A jump forward to a block does not count the
 * block, except when the core links the two, as it then enters the block itself.
 */
static int is_overcounted(HWord reason)
{
	return reason == VEX_TRC_JMP_INVALICACHE || reason == CHAIN_ME_TO_FAST_EP;
}

void __real_vgPlain_disp_run_translations(HWord *two_words, volatile void *guest,
					  Addr host_addr);
void __wrap_vgPlain_disp_run_translations(HWord *two_words, volatile void *guest,
					  Addr host_addr)
{
	quantum.guest = (VexGuestAMD64State *)guest;
	shorten(quantum.length);
	__real_vgPlain_disp_run_translations(two_words, guest, host_addr);
	if (is_overcounted(two_words[0]))
		quantum.guest->host_EvC_COUNTER++;
}
