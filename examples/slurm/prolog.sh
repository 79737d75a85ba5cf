#!/bin/sh
# For TaskProlog= in slurm.conf, or srun --task-prolog: give the records of all ranks labels of the site.
#
# Slurm puts what is printed after "export" into the environment of the rank.
echo "export CPC_LABEL=cluster=${SLURM_CLUSTER_NAME-},node=${SLURMD_NODENAME-},partition=${SLURM_JOB_PARTITION-}"
