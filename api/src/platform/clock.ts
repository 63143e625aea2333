/** The one source of the current time, so that a test can substitute it. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
