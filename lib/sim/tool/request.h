/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the program asks of its simulator: requests.h. */
#ifndef SIM_TOOL_REQUEST_H
#define SIM_TOOL_REQUEST_H

void request_set_up(void);

#endif
