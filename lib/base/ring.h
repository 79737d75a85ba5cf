/*
 * Rings: doubly linked lists whose head is a link too, which a struct holds of its own
 * kind.
 */
#ifndef BASE_RING_H
#define BASE_RING_H

struct ring {
	struct ring *next, *prev;
};

/* Make a head of a ring without members. */
static inline void ring_init(struct ring *head)
{
	head->next = head->prev = head;
}

/* Add a member as the last one. */
static inline void ring_add(struct ring *head, struct ring *member)
{
	member->next = head;
	member->prev = head->prev;
	head->prev->next = member;
	head->prev = member;
}

/* Take a member out of its ring. */
static inline void ring_drop(struct ring *member)
{
	member->next->prev = member->prev;
	member->prev->next = member->next;
}

#endif
