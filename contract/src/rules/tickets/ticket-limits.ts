/** For how many hours staff is let into a panel at most. */
export const mostAccessHours = 72

/** How many addresses beside those of its people a ticket tells of its answers. */
export const mostNotified = 10

/** From low to urgent; a ticket begins as normal. */
export const ticketPriorities = [1, 2, 3, 4] as const
