/* Rings: doubly linked lists whose head is a link too. Members contain a struct ring. */
#ifndef BASE_RING_H
#define BASE_RING_H

struct ring {
	struct ring *next, *prev;
};

/* Make head the head of an empty ring. */
static inline void ring_init(struct ring *head)
{
	head->next = head->prev = head;
}

/* Add a member at the end. */
static inline void ring_add(struct ring *head, struct ring *member)
{
	member->next = head;
	member->prev = head->prev;
	head->prev->next = member;
	head->prev = member;
}

/* Remove a member from its ring. */
static inline void ring_drop(struct ring *member)
{
	member->next->prev = member->prev;
	member->prev->next = member->next;
}

#endif
