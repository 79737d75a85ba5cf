/* Where the cgroups are mounted that the kernel counts events of. */
#ifndef SUITE_CGROUPS_MOUNT_H
#define SUITE_CGROUPS_MOUNT_H

/*
 * Return the folder of the hierarchy of cgroups that has the controller perf_event, from
 * the text of a file /proc/PID/mountinfo: a hierarchy of version 1 with this controller,
 * or else the hierarchy of version 2, where the controller is always on. The caller frees
 * the string. Returns NULL with ENOENT if the text has neither, or ENOMEM.
 *
 * Source: proc_pid_mountinfo(5), cgroups(7), Documentation/admin-guide/cgroup-v2.rst
 */
char *cgroups_mount(const char *mountinfo);

#endif
