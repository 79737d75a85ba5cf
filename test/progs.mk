# The programs that the tests and the bench run; included by the Makefile.
TESTPROGS := $(addprefix $(B)/prog/,oracle attachme act ptyrun load nop)
TESTCC    := $(CC) -D_GNU_SOURCE -O2 -std=gnu11 -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes

# Static, so at a fixed address: nm(1) tells where hit() will be.
$(B)/prog/oracle $(B)/prog/attachme: $(B)/prog/%: test/prog/%.c test/prog/hit.c test/prog/hit.h
	$(Q)mkdir -p $(@D) && $(TESTCC) -static -o $@ $(filter %.c,$^) -pthread
$(B)/prog/%: test/prog/%.c
	$(Q)mkdir -p $(@D) && $(TESTCC) -o $@ $< -pthread -lutil

# For the guests of the PMU test bed, which are arm64: no C library, each instruction is known.
GUESTPROGS := $(B)/prog/turns
$(B)/prog/%: test/qemu/prog/%.S
	$(Q)mkdir -p $(@D) && $(CC) -nostdlib -static -o $@ $<

BENCHPROGS := $(B)/bench/runbench
$(B)/bench/%: test/bench/%.c
	$(Q)mkdir -p $(@D) && $(TESTCC) -o $@ $<
