/** The maximum hours of staff's access to a panel. */
export const mostAccessHours = 72

/** The maximum number of further addresses that a ticket notifies. */
export const mostNotified = 10

/** The maximum number of tags of a ticket. */
export const mostTags = 10

/** From low to urgent; a new ticket is normal. */
export const ticketPriorities = [1, 2, 3, 4] as const

/** For how many seconds colleagues see that somebody writes an answer. */
export const writingSeconds = 45
