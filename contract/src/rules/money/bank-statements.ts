const file = 10 * 1024 * 1024

/**
 * `file` and `body` in bytes: a larger file than allowed still arrives, so that its refusal can say so. `mt940Lines` are
 * the lines of an MT940, which is read in one go of about a second.
 */
export const statementLimits = { file, body: 16 * 1024 * 1024, mt940Lines: 100_000 } as const

/** The most lines that one call confirms. */
export const mostConfirmed = 1000

/** The most of them that need a transaction of their own, which takes longer. */
export const mostConfirmedSingly = 100
