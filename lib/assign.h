/* Counter assignment: give each request a counter that can count it, no two the same. */
#ifndef ASSIGN_H
#define ASSIGN_H

#include <stdint.h>

/*
 * can[i]: bit n set if counter n can count request i (a fixed counter: one bit). Fills
 * pic[i] and returns 0; the assignment is the first in lexicographic order of (pic[0],
 * pic[1], ...), so it is the same every time. -1, EINVAL: there is none, and pic is
 * untouched; *clash is then a set of requests (bit i) that cannot be counted together,
 * and could be without any one of them. n is at most 64 (more: EINVAL, *clash 0). The
 * time is polynomial: 64 requests on 64 counters take milliseconds at worst.
 */
int assign_pics(const uint64_t *can, unsigned n, unsigned *pic, uint64_t *clash);

#endif
