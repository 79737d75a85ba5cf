# The simulator: a tool linked with Valgrind's core, and its launcher. Built if that core is
# installed and the build is not for another machine; always without sanitizers.
VGLIB   := $(if $(CROSS),,$(shell pkg-config --variable=libdir valgrind 2>/dev/null)/valgrind)
VGINC   := $(shell pkg-config --variable=includedir valgrind 2>/dev/null)
VGLOAD  := $(shell pkg-config --variable=valt_load_address valgrind 2>/dev/null)
VGPRE   := $(firstword $(wildcard /usr/libexec/valgrind/vgpreload_core-amd64-linux.so \
	   $(dir $(VGLIB))../libexec/valgrind/vgpreload_core-amd64-linux.so))
VGHAVE  := $(and $(VGLOAD),$(VGPRE),$(wildcard $(VGLIB)/libcoregrind-amd64-linux.a),$(wildcard $(VGINC)/pub_tool_tooliface.h))

ifneq ($(VGHAVE),)
TOOLS   := $(addprefix $(B)/sim/,cpcsim-amd64-linux cpcsim-launch vgpreload_core-amd64-linux.so)
TOOLOBJ := $(patsubst lib/sim/%.c,$(B)/sim/%.o,$(wildcard lib/sim/tool/*.c lib/sim/model/*.c lib/sim/x86/*.c)) $(B)/sim/machines.o
# Functions of the core that core.c replaces.
TOOLWRAP := $(addprefix vgPlain_,di_notify_mmap mkstemp unlink do_syscall) sanityCheckIRSB
TOOLDEF := -DVERSION='"$(VERSION)"' -isystem $(VGINC) $(PRIVATE) -DVGA_amd64=1 -DVGO_linux=1 -DVGP_amd64_linux=1 -DVGPV_amd64_linux_vanilla=1
# The tool has no C library, so the compiler must not call one. Fixed addresses: generated code contains them.
TOOLCC  := $(CC) -std=gnu11 -O2 -g $(WARN) -fno-strict-aliasing -fno-stack-protector -fno-builtin \
	   $(NO_LOOP_CALLS) -fno-pic -fno-PIE -fomit-frame-pointer

all: $(TOOLS)

# Linked at Valgrind's address, which leaves the usual addresses of programs free.
$(B)/sim/cpcsim-amd64-linux: $(TOOLOBJ)
	$(Q)$(CC) -static -nodefaultlibs -nostartfiles -u _start -Wl,--build-id=none -Wl,-Ttext-segment=$(VGLOAD) \
		$(TOOLWRAP:%=-Wl,--wrap=%) \
		-o $@ $^ $(VGLIB)/libcoregrind-amd64-linux.a $(VGLIB)/libvex-amd64-linux.a -lgcc \
		$(wildcard $(VGLIB)/libgcc-sup-amd64-linux.a)
$(B)/sim/cpcsim-launch: lib/sim/launch.c
	$(Q)mkdir -p $(@D) && $(CC) -std=gnu11 -O2 $(WARN) $(HARDEN) $(HARDENLD) -D_GNU_SOURCE $(PRIVATE) -MMD -MP -static -o $@ $<
$(B)/sim/vgpreload_core-amd64-linux.so:
	$(Q)mkdir -p $(@D) && ln -sf $(VGPRE) $@
$(B)/sim/%.o: lib/sim/%.c
	$(Q)mkdir -p $(@D) && $(TOOLCC) $(TOOLDEF) -MMD -MP -c -o $@ $<
$(B)/sim/%.o: $(B)/events/%.c
	$(Q)mkdir -p $(@D) && $(TOOLCC) $(TOOLDEF) -MMD -MP -c -o $@ $<
$(TOOLOBJ) $(B)/sim/cpcsim-launch: | $(B)/events/sim_counters.h
-include $(TOOLOBJ:.o=.d) $(B)/sim/cpcsim-launch.d
endif
