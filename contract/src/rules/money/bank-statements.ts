const file = 10 * 1024 * 1024

/** In bytes. A larger file than allowed still arrives, so that its refusal can say so. */
export const statementLimits = { file, body: 16 * 1024 * 1024 } as const

/** The most lines that one call confirms. */
export const mostConfirmed = 1000

/** The most of them that need a transaction of their own, which takes longer. */
export const mostConfirmedSingly = 100
