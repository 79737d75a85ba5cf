# The simulator: a tool linked with Valgrind's core, and its launcher. Built if that core is
# installed and the build is not for another machine; always without sanitizers. VALGRIND= is the root of
# another Valgrind than that of this machine, SIM= the folder for its simulator.
SIM     ?= $(B)/sim
VALGRIND ?=
VGCONF  := $(if $(VALGRIND),PKG_CONFIG_SYSROOT_DIR='$(VALGRIND)' PKG_CONFIG_LIBDIR='$(wildcard $(VALGRIND)/usr/lib/*/pkgconfig)') pkg-config
VGLIB   := $(if $(CROSS),,$(shell $(VGCONF) --variable=libdir valgrind 2>/dev/null)/valgrind)
VGINC   := $(shell $(VGCONF) --variable=includedir valgrind 2>/dev/null)
VGLOAD  := $(shell $(VGCONF) --variable=valt_load_address valgrind 2>/dev/null)
VGPRE   := $(firstword $(wildcard $(VALGRIND)/usr/libexec/valgrind/vgpreload_core-amd64-linux.so \
	   $(dir $(VGLIB))../libexec/valgrind/vgpreload_core-amd64-linux.so))
VGHAVE  := $(and $(VGLOAD),$(VGPRE),$(wildcard $(VGLIB)/libcoregrind-amd64-linux.a),$(wildcard $(VGINC)/pub_tool_tooliface.h))

ifneq ($(VGHAVE),)
TOOLS   := $(addprefix $(SIM)/,cpcsim-amd64-linux cpcsim-launch vgpreload_core-amd64-linux.so)
TOOLOBJ := $(patsubst lib/sim/%.c,$(SIM)/%.o,$(wildcard lib/sim/tool/*.c lib/sim/model/*.c lib/sim/x86/*.c lib/sim/image/*.c lib/sim/virtual/*.c lib/sim/guard/*.c lib/sim/record/*.c lib/sim/shared/*.c))
# Functions of the core that the tool replaces.
TOOLWRAP := $(addprefix vgPlain_,di_notify_mmap mkstemp unlink getrlimit do_syscall sigtimedwait_zero poll_signals client_syscall disp_run_translations machine_get_VexArchInfo \
		am_show_nsegments scheduler_init_phase1 alloc_ThreadState core_panic core_panic_at assert_fail unimplemented) \
	    $(addprefix vgModuleLocal_,$(addsuffix _sched_lock,create destroy acquire release) get_sched_lock_owner) \
	    amd64g_dirtyhelper_RDTSC amd64g_dirtyhelper_RDTSCP sanityCheckIRSB
TOOLDEF := -DVERSION='"$(VERSION)"' -isystem $(VGINC) $(PRIVATE) -DVGA_amd64=1 -DVGO_linux=1 -DVGP_amd64_linux=1 -DVGPV_amd64_linux_vanilla=1
# The tool has no C library, so the compiler must not call one. Fixed addresses: generated code contains them.
# Counters that lie side by side are incremented one by one: as a vector they take longer.
TOOLCC  := $(PLAINCC) -std=gnu11 -O2 -g $(WARN) -fno-strict-aliasing -fno-stack-protector -fno-builtin \
	   $(NO_LOOP_CALLS) -fno-tree-slp-vectorize -fno-pic -fno-PIE -fomit-frame-pointer

all: simulator
simulator: $(TOOLS)
.PHONY: simulator

# Linked at Valgrind's address, which leaves the usual addresses of programs free.
$(SIM)/cpcsim-amd64-linux: $(TOOLOBJ)
	$(Q)$(PLAINCC) -static -nodefaultlibs -nostartfiles -u _start -Wl,--build-id=none -Wl,-Ttext-segment=$(VGLOAD) \
		$(TOOLWRAP:%=-Wl,--wrap=%) \
		-o $@ $^ $(VGLIB)/libcoregrind-amd64-linux.a $(VGLIB)/libvex-amd64-linux.a -lgcc \
		$(wildcard $(VGLIB)/libgcc-sup-amd64-linux.a)
$(SIM)/cpcsim-launch: lib/sim/launch.c lib/sim/program.c lib/sim/image/environment.c
	$(Q)mkdir -p $(@D) && $(PLAINCC) -std=gnu11 -O2 $(WARN) $(HARDEN) $(HARDENLD) -D_GNU_SOURCE $(PRIVATE) -MMD -MP -static -o $@ $(filter %.c,$^)
$(SIM)/vgpreload_core-amd64-linux.so:
	$(Q)mkdir -p $(@D) && ln -sf $(VGPRE) $@
$(SIM)/%.o: lib/sim/%.c
	$(Q)mkdir -p $(@D) && $(TOOLCC) $(TOOLDEF) -MMD -MP -c -o $@ $<
$(TOOLOBJ) $(SIM)/cpcsim-launch: | $(B)/events/sim_counters.h
-include $(TOOLOBJ:.o=.d) $(SIM)/cpcsim-launch.d
endif
