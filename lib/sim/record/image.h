/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describes the process image in the records file: its program and its mapped files. */
#ifndef SIM_RECORD_IMAGE_H
#define SIM_RECORD_IMAGE_H

/*
 * Describes the image, and from now on each file that it maps. Called before the core
 * reports the first mappings.
 */
void image_open(void);

/* In the child of fork(2). */
void image_forked(void);

#endif
