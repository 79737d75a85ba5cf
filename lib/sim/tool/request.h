/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Serves the client requests of sim/shared/requests.h. */
#ifndef SIM_TOOL_REQUEST_H
#define SIM_TOOL_REQUEST_H

/* Registers the handler of client requests with the core. */
void request_set_up(void);

#endif
