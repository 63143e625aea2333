/** The one source of the current time: what reads it can be shown another day by a test. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
