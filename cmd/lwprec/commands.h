/*
 * The subcommands of lwprec. Each reads its options and operands from argv, whose first
 * word is the name by which lwprec was called, and returns the exit status.
 */
#ifndef LWPREC_COMMANDS_H
#define LWPREC_COMMANDS_H

int command_annotate(int argc, char **argv);
int command_caps(int argc, char **argv);
int command_decode(int argc, char **argv);
int command_diff(int argc, char **argv);
int command_record(int argc, char **argv);
int command_report(int argc, char **argv);
int command_scan(int argc, char **argv);

#endif
