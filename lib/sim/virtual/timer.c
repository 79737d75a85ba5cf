/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/virtual/timer.h"

#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

enum {
	SLOTS = 256, /* of two timers with the same slot, the last one is known */
	UNKNOWN = -1
};

/* The timers of timer_create(2), by their id, and of timerfd_create(2), by descriptor. */
static struct table {
	struct {
		Int id, clock;
		int is_used;
	} slot[SLOTS];
} timers, descriptors;

static void set(struct table *t, Int id, Int clock)
{
	if (id < 0)
		return;
	t->slot[id % SLOTS].id = id;
	t->slot[id % SLOTS].clock = clock;
	t->slot[id % SLOTS].is_used = clock != UNKNOWN;
}

static Int get(const struct table *t, Int id)
{
	const Int i = id < 0 ? 0 : id % SLOTS;

	return t->slot[i].is_used && t->slot[i].id == id ? t->slot[i].clock : UNKNOWN;
}

void timer_note(UInt number, const UWord *args, UWord result)
{
	switch (number) {
	case __NR_timer_create:
		set(&timers, *(const Int *)args[2], (Int)args[0]);
		break;
	case __NR_timerfd_create:
		set(&descriptors, (Int)result, (Int)args[0]);
		break;
	case __NR_close:
		set(&descriptors, (Int)args[0], UNKNOWN);
		break;
	case __NR_fcntl:
		if (args[1] != VKI_F_DUPFD && args[1] != VKI_F_DUPFD_CLOEXEC)
			break;
		set(&descriptors, (Int)result, get(&descriptors, (Int)args[0]));
		break;
	case __NR_dup:
	case __NR_dup2:
	case __NR_dup3:
		set(&descriptors, (Int)result, get(&descriptors, (Int)args[0]));
		break;
	default:
		break;
	}
}

Int timer_clock(UInt number, Int id)
{
	return get(number == __NR_timer_settime ? &timers : &descriptors, id);
}
