/* The functions of the C library that the emulator replaces. */
#ifndef LWP_EMULATOR_REAL_H
#define LWP_EMULATOR_REAL_H

#include <dlfcn.h>

/* The function called name behind the emulator, which has this type. */
#define REAL(name)                                                                 \
	({                                                                         \
		static __typeof__(name) *real_##name;                              \
		if (!real_##name)                                                  \
			real_##name = (__typeof__(name) *)dlsym(RTLD_NEXT, #name); \
		real_##name;                                                       \
	})

#endif
