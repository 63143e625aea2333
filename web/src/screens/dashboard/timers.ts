/**
 * The dashboard's two polling intervals, in milliseconds. Queries run them: they pause in a hidden tab and
 * end when the page is left.
 */
export const pollEvery = { timer: 15_000, timer_shared_access: 30_000 } as const
