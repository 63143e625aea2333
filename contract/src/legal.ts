/**
 * Paths of the operator's legal texts. A proxy serves them in front of the portal; the portal itself only
 * reports that they are missing.
 */
export const legal = { terms: '/terms', privacy: '/privacy' } as const

/** The version of the legal texts that people accept when they register; stored with their acceptance. */
export const termsVersion = '2026-01'
