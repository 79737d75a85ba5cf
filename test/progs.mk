# The programs that the tests and the bench run; included by the Makefile.
TESTPROGS := $(addprefix $(B)/prog/,oracle attachme act ptyrun load nop)
TESTCC    := $(CC) -D_GNU_SOURCE -O2 -std=gnu11 -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes

# Static, so at a fixed address, as breakpoints want it.
$(B)/prog/oracle $(B)/prog/attachme: $(B)/prog/%: test/prog/%.c test/prog/hit.c test/prog/hit.h
	$(Q)mkdir -p $(@D) && $(TESTCC) -static -o $@ $(filter %.c,$^) -pthread
$(B)/prog/%: test/prog/%.c
	$(Q)mkdir -p $(@D) && $(TESTCC) -o $@ $< -pthread -lutil

# For the guests of the PMU test bed, which are arm64: no C library, each instruction is known; and hog, an ordinary one.
GUESTPROGS := $(addprefix $(B)/prog/,turns migrate rounds threads seq forks execs naps tour hog)
$(B)/prog/%: test/qemu/prog/%.S test/qemu/prog/known.inc
	$(Q)mkdir -p $(@D) && $(CC) -nostdlib -static -o $@ $<
$(B)/prog/%: test/qemu/prog/%.c
	$(Q)mkdir -p $(@D) && $(TESTCC) -static -o $@ $<

BENCHPROGS := $(B)/bench/runbench
$(B)/bench/%: test/bench/%.c
	$(Q)mkdir -p $(@D) && $(TESTCC) -o $@ $<
