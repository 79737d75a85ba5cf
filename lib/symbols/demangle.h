/* Names of C++ and Rust as their sources have them. */
#ifndef SYMBOLS_DEMANGLE_H
#define SYMBOLS_DEMANGLE_H

#include "symbols/strings.h"

/*
 * Return what a name stands for in C++ or Rust, copied to strings; or the name itself if
 * it is no name of these languages, if it is too long, or if memory runs out.
 */
const char *demangle(const char *name, struct strings *strings);

#endif
