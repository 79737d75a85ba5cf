#include "pctx/table.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { FIRST = 1000, MANY = 5000 };

static struct tracer *tracer(void)
{
	struct tracer *t = tracer_new(1, 0, NULL);

	assert_non_null(t);
	t->root = proc_new(t, FIRST, NULL);
	assert_non_null(t->root);
	return t;
}

static struct lwp *born(struct tracer *t, pid_t tid, struct __pctx *p)
{
	struct lwp *l = lwp_new(t, tid, LWP_STOPPED);

	assert_non_null(l);
	assert_int_equal(l->state, LWP_STOPPED);
	lwp_join(l, p);
	assert_int_equal(l->state, LWP_LIVE);
	assert_ptr_equal(l->proc, p);
	return l;
}

/* Numbers and the list follow the order of creation, not of the first stops. */
static void keeps_the_order_of_creation(void **state)
{
	enum { THREADS = 4 };
	struct tracer *t = tracer();
	struct lwp *l[THREADS];
	id_t id = 1;

	(void)state;
	born(t, FIRST, t->root);
	for (int i = 0; i < THREADS; i++) {
		l[i] = lwp_new(t, FIRST + 1 + i, LWP_ANNOUNCED);
		lwp_assign_number(l[i], t->root);
	}
	for (int i = THREADS; i-- > 0;)
		lwp_join(l[i], t->root);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(l[i]->id, i + 2);
	for (struct lwp *it = t->root->first; it; it = it->next) {
		assert_int_equal(it->id, id++);
		assert_ptr_equal(it->next ? it->next->prev : t->root->last, it);
	}
	assert_int_equal(id, THREADS + 2);
	lwp_drop(t, l[1]);
	assert_ptr_equal(l[0]->next, l[2]);
	assert_ptr_equal(l[2]->prev, l[0]);
	tracer_free(t);
}

/* LWPs are added and dropped; each one in the table is found, and no other tid. */
static void finds_by_tid(void **state)
{
	struct tracer *t = tracer();

	(void)state;
	for (int i = 0; i < MANY; i++) {
		born(t, FIRST + 7 * i, t->root);
		if (i % 3 == 2)
			lwp_drop(t, lwp_find(t, FIRST + 7 * (i - 1)));
	}
	unsigned n = 0;
	for (int tid = 0; tid < FIRST + 7 * MANY + 7; tid++) {
		const int i = (tid - FIRST) / 7;
		const int expected = tid >= FIRST && (tid - FIRST) % 7 == 0 && i < MANY &&
				     !(i % 3 == 1 && i + 1 < MANY);
		const struct lwp *l = lwp_find(t, tid);

		if (expected != (l != NULL) || (l && l->tid != tid))
			fail_msg("tid %d: %s", tid, l ? "found" : "not found");
		n += l != NULL;
	}
	assert_int_equal(t->nlwps, n);
	assert_int_equal(t->nunborn, 0);
	assert_true(t->nbuckets >= t->nlwps);
	tracer_free(t);
}

/* Each number is assigned once, from 1; LWPs are looked up in any order. */
static void finds_by_number(void **state)
{
	struct tracer *t = tracer();
	struct __pctx *p = t->root;

	(void)state;
	assert_null(lwp_by_number(p, 1));
	for (int i = 0; i < 10; i++)
		assert_int_equal(born(t, FIRST + i, p)->id, i + 1);
	for (int i = 10; i-- > 0;)
		assert_int_equal(lwp_by_number(p, (id_t)(i + 1))->tid, FIRST + i);
	assert_null(lwp_by_number(p, 0));
	assert_null(lwp_by_number(p, 11));
	/* Drop the LWP that was looked up last, then the last one and the first one. */
	lwp_by_number(p, 5);
	lwp_drop(t, lwp_find(t, FIRST + 4));
	assert_null(lwp_by_number(p, 5));
	lwp_drop(t, p->last);
	lwp_drop(t, p->first);
	assert_null(lwp_by_number(p, 10));
	assert_int_equal(p->first->id, 2);
	assert_int_equal(p->last->id, 9);
	assert_int_equal(born(t, FIRST, p)->id, 11);
	id_t order[16], n = 0;
	for (const struct lwp *l = p->first; l; l = l->next)
		order[n++] = l->id;
	static const id_t want[] = {2, 3, 4, 6, 7, 8, 9, 11};
	assert_int_equal(n, 8);
	assert_memory_equal(order, want, sizeof want);
	for (const struct lwp *l = p->last; l; l = l->prev)
		assert_int_equal(l->id, want[--n]);
	/*
	 * After an exec numbers begin at 1 again: the LWP's number is changed in place.
	 */
	lwp_by_number(p, 11)->id = 1;
	assert_int_equal(lwp_by_number(p, 1)->tid, FIRST);
	assert_null(lwp_by_number(p, 11));
	tracer_free(t);
}

static void renames(void **state)
{
	struct tracer *t = tracer();
	struct lwp *l = born(t, FIRST + 5, t->root);

	(void)state;
	lwp_rename(t, l, FIRST);
	assert_null(lwp_find(t, FIRST + 5));
	assert_ptr_equal(lwp_find(t, FIRST), l);
	assert_int_equal(t->nlwps, 1);
	assert_int_equal(l->id, 1);
	tracer_free(t);
}

static int nprocs(const struct tracer *t)
{
	int n = 0;
	const struct __pctx *last = NULL;

	for (const struct __pctx *p = t->first; p; last = p, p = p->next, n++)
		assert_ptr_equal(p->prev, last);
	assert_ptr_equal(t->last, last);
	return n;
}

/* A child gets its parent's handlers; the root's struct outlives its process. */
static void processes(void **state)
{
	struct tracer *t = tracer();
	int arg;

	(void)state;
	t->root->arg = &arg;
	t->root->h.exit = (pctx_sysc_exitfn_t *)abort;
	t->root->follow = t->root->detaching = 1;
	struct __pctx *a = proc_new(t, 2000, t->root), *b = proc_new(t, 3000, a);
	assert_ptr_equal(b->arg, &arg);
	assert_ptr_equal(b->h.exit, t->root->h.exit);
	assert_false(b->follow || b->detaching);
	assert_ptr_equal(b->t, t);
	assert_int_equal(b->pid, 3000);
	assert_int_equal(nprocs(t), 3);
	born(t, 2000, a);
	born(t, 2001, a);
	born(t, FIRST, t->root);
	proc_drop(a);
	assert_int_equal(nprocs(t), 2);
	assert_null(lwp_find(t, 2001));
	assert_int_equal(t->nlwps, 1);
	assert_true(proc_listed(t->root));
	proc_drop(t->root);
	assert_false(proc_listed(t->root));
	assert_int_equal(t->root->pid, FIRST);
	assert_int_equal(nprocs(t), 1);
	assert_true(proc_listed(b));
	proc_drop(b);
	assert_int_equal(nprocs(t), 0);
	tracer_free(t);
	tracer_free(NULL);
}

/* An announced LWP stays in the table when the process that announced it is dropped. */
static void announced_outlive(void **state)
{
	struct tracer *t = tracer();
	struct __pctx *p = proc_new(t, 2000, t->root);
	struct lwp *mine = lwp_new(t, 2001, LWP_ANNOUNCED);
	struct lwp *other = lwp_new(t, 2002, LWP_ANNOUNCED);
	struct lwp *stopped = lwp_new(t, 2003, LWP_STOPPED);

	(void)state;
	mine->proc = p;
	other->proc = t->root;
	assert_int_equal(t->nunborn, 3);
	proc_drop(p);
	assert_null(mine->proc);
	assert_ptr_equal(other->proc, t->root);
	assert_ptr_equal(lwp_find(t, 2003), stopped);
	lwp_drop(t, stopped);
	assert_int_equal(t->nunborn, 2);
	lwp_join(other, t->root);
	assert_int_equal(t->nunborn, 1);
	tracer_free(t);
}

/* A tracer can be freed before those that are older or newer. */
static void other_tracers_outlive(void **state)
{
	(void)state;
	for (int freed = 0; freed < 3; freed++) {
		struct tracer *t[3];
		struct __pctx *root[3];

		for (int i = 0; i < 3; i++) {
			t[i] = tracer();
			root[i] = t[i]->root;
		}
		tracer_free(t[freed]);
		for (int i = 0; i < 3; i++)
			assert_int_equal(pctx_is_handle(root[i]), i != freed);
		for (int i = 0; i < 3; i++)
			if (i != freed)
				tracer_free(t[i]);
	}
}

static int no_memory; /* calloc(3) fails for more than this size; 0: never */

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);

void *__wrap_calloc(size_t n, size_t size)
{
	return no_memory && n * size > (size_t)no_memory ? NULL : __real_calloc(n, size);
}

/* A table that cannot grow is slower, and finds all LWPs. */
static void finds_without_memory_for_the_table(void **state)
{
	struct tracer *t = tracer();
	const unsigned buckets = t->nbuckets;

	(void)state;
	no_memory = (int)(buckets * sizeof *t->bucket);
	for (int i = 0; i < MANY; i++)
		born(t, FIRST + i, t->root);
	assert_int_equal(t->nbuckets, buckets);
	no_memory = 0;
	for (int i = 0; i < MANY; i++)
		assert_int_equal(lwp_find(t, FIRST + i)->tid, FIRST + i);
	/* it grows when there is memory again */
	born(t, FIRST + MANY, t->root);
	assert_true(t->nbuckets > buckets);
	for (int i = 0; i <= MANY; i++)
		assert_int_equal(lwp_find(t, FIRST + i)->tid, FIRST + i);
	tracer_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_the_order_of_creation),
		cmocka_unit_test(finds_by_tid),
		cmocka_unit_test(finds_without_memory_for_the_table),
		cmocka_unit_test(finds_by_number),
		cmocka_unit_test(renames),
		cmocka_unit_test(processes),
		cmocka_unit_test(announced_outlive),
		cmocka_unit_test(other_tracers_outlive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
