/*
 * fleet FOLDER RANKS RECORDS KIND [GAP]: write the records of a job of RANKS ranks, a
 * file FOLDER/r.N.json for each, which has RECORDS records, at least four: that of the
 * run, KIND, and the last. KIND is "totals", the totals of processes, or "samples", the
 * samples of one process and its total. With GAP the ranks GAP - 1, 2 * GAP - 1, ... have
 * no file.
 *
 * Value i of event e in a record of rank r is the upper 20 bits of
 * (x * 6364136223846793005 + 1442695040888963407) mod 2^64, where x is
 * r * 1000003 + i * 7919 + e * 104729. Totals have i from 0; the total after samples has
 * i 0.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The events, and the members of their requests and values. */
static const char *const event[] = {
	"\"pic\":0,\"name\":\"page-faults\",\"mode\":\"user+sys\",\"unit\":\"1\"",
	"\"pic\":1,\"name\":\"task-clock\",\"mode\":\"user+sys\",\"unit\":\"ns\"",
};

enum { EVENTS = 2 };

/* The time of the start, and between two records. */
static const uint64_t start = UINT64_C(1700000000000000000), interval = 10000000;

static uint64_t value(uint64_t rank, uint64_t i, uint64_t e)
{
	const uint64_t x = rank * 1000003 + i * 7919 + e * 104729;

	return (x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407)) >> 44;
}

/* Print what each record begins with. */
static void put_begin(FILE *f, const char *record, uint64_t rank)
{
	fprintf(f,
		"{\"schema\":2,\"record\":\"%s\",\"run\":\"node%" PRIu64 ":%" PRIu64
		":%" PRIu64 "\"",
		record, rank / 64, 1000 + rank, start);
}

static void put_run(FILE *f, uint64_t rank, uint64_t ranks)
{
	put_begin(f, "run", rank);
	fprintf(f,
		",\"tool\":\"cputrack\",\"version\":\"1\",\"host\":\"node%" PRIu64
		"\",\"start_unix_ns\":%" PRIu64
		",\"argv\":[\"cputrack\",\"./prog\"],\"command\":\"./prog\",\"label\":{},"
		"\"launcher\":\"Slurm\",\"job\":\"77\",\"step\":0",
		rank / 64, start);
	fprintf(f,
		",\"rank\":%" PRIu64 ",\"size\":%" PRIu64 ",\"local\":%" PRIu64
		",\"engine\":\"kernel\",\"model\":null,\"reproducible\":null",
		rank, ranks, rank % 64);
	fprintf(f,
		",\"cwd\":\"/\",\"kernel\":\"6.1\",\"cpu_model\":\"a processor\","
		"\"cpus\":64,\"governor\":null,\"turbo\":null,\"paranoid\":2,"
		"\"interval_ns\":%" PRIu64,
		interval);
	fputs(",\"sets\":[{\"set\":0,\"spec\":\"page-faults,task-clock\",\"requests\":[",
	      f);
	for (unsigned e = 0; e < EVENTS; e++)
		fprintf(f, "%s{%s,\"attrs\":null,\"how\":null}", e ? "," : "", event[e]);
	fputs("]}]}\n", f);
}

/* Print a row of values: row `number` of the file, with values i. */
static void put_row(FILE *f, uint64_t rank, const char *record, uint64_t number,
		    uint64_t i)
{
	const int is_sample = strcmp(record, "sample") == 0;
	const uint64_t ns = (number + 1) * interval;

	put_begin(f, record, rank);
	fprintf(f,
		",\"time_ns\":%" PRIu64 ",\"unix_ns\":%" PRIu64
		",\"scope\":\"%s\",\"pid\":%" PRIu64
		",\"lwp\":%s,\"tid\":null,\"name\":\"prog\",\"what\":\"%s\",\"set\":0,"
		"\"tsc\":null,\"values\":[",
		ns, start + ns, is_sample ? "lwp" : "process", 1001 + (is_sample ? 0 : i),
		is_sample ? "1" : "null", is_sample ? "tick" : "exit");
	for (unsigned e = 0; e < EVENTS; e++) {
		const uint64_t v = value(rank, i, e);

		fprintf(f,
			"%s{%s,\"value\":%" PRIu64 ",\"count\":%" PRIu64
			",\"enabled_ns\":%" PRIu64 ",\"running_ns\":%" PRIu64
			",\"class\":\"exact\",\"note\":null}",
			e ? "," : "", event[e], v, v, interval, interval);
	}
	fputs("]}\n", f);
}

static void put_end(FILE *f, uint64_t rank, uint64_t records)
{
	const uint64_t ns = records * interval;

	put_begin(f, "end", rank);
	fprintf(f,
		",\"time_ns\":%" PRIu64 ",\"unix_ns\":%" PRIu64
		",\"status\":0,\"signal\":null,\"provisional\":false,\"records\":%" PRIu64
		",\"skipped\":0,\"user_ns\":%" PRIu64
		",\"system_ns\":0,\"peak_rss_bytes\":1048576,\"command_status\":0,"
		"\"command_signal\":null}\n",
		ns, start + ns, records, ns);
}

static void put_file(FILE *f, uint64_t rank, uint64_t ranks, uint64_t records,
		     int has_samples)
{
	const uint64_t rows = records - 2;

	put_run(f, rank, ranks);
	for (uint64_t i = 0; i < rows; i++) {
		const int is_sample = has_samples && i < rows - 1;

		put_row(f, rank, is_sample ? "sample" : "total", i,
			has_samples && !is_sample ? 0 : i);
	}
	put_end(f, rank, records);
}

int main(int argc, char **argv)
{
	if (argc < 5 || argc > 6 || atoll(argv[3]) < 4) {
		fprintf(stderr,
			"usage: fleet folder ranks records totals|samples [gap]\n");
		return 2;
	}
	const uint64_t ranks = strtoull(argv[2], NULL, 10),
		       records = strtoull(argv[3], NULL, 10),
		       gap = argc == 6 ? strtoull(argv[5], NULL, 10) : 0;
	const int has_samples = strcmp(argv[4], "samples") == 0;

	for (uint64_t r = 0; r < ranks; r++) {
		char path[4096];

		if (gap && r % gap == gap - 1)
			continue;
		snprintf(path, sizeof path, "%s/r.%" PRIu64 ".json", argv[1], r);
		FILE *f = fopen(path, "w");
		if (f)
			put_file(f, r, ranks, records, has_samples);
		if (!f || fclose(f) != 0) {
			perror(path);
			return 1;
		}
	}
	return 0;
}
