/**
 * The dashboard's two polling timers, by the seed's names, in milliseconds. Queries run them: they rest in a hidden tab and end
 * when the page is left.
 */
export const pollEvery = { timer: 15_000, timer_shared_access: 30_000 } as const
