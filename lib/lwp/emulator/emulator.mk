# The emulator of LWP instructions, which is preloaded into programs; x86-64 only, and always without sanitizers.
# fast.c runs in the middle of the program's code, so that it must not use vector registers; a tracer follows its frame pointer.
ifneq ($(findstring x86_64,$(shell $(PLAINCC) -dumpmachine)),)
EMULATOR := $(SIM)/lwpemulate.so
EMULATOROBJ := $(patsubst lib/lwp/%.c,$(B)/emulator/%.o,$(wildcard lib/lwp/emulator/*.c) lib/lwp/emulate.c $(addprefix lib/lwp/,block.c instruction.c record.c))
EMULATORCC := $(PLAINCC) -std=gnu11 -O2 -g $(WARN) -D_GNU_SOURCE -Ilib/include $(PRIVATE) -fPIC -fvisibility=hidden \
	      -fno-stack-protector -fno-omit-frame-pointer -mgeneral-regs-only
TOOLS    += $(EMULATOR)

all: $(EMULATOR)
$(EMULATOR): $(EMULATOROBJ)
	$(Q)mkdir -p $(@D) && $(PLAINCC) -shared -Wl,-z,relro,-z,now,-z,noexecstack -Wl,--no-undefined -o $@ $^
$(B)/emulator/%.o: lib/lwp/%.c
	$(Q)mkdir -p $(@D) && $(EMULATORCC) -MMD -MP -c -o $@ $<
-include $(EMULATOROBJ:.o=.d)
endif
