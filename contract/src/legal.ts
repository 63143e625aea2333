/** Where the operator's legal texts are: a proxy serves them in front of the portal, which only says that they are missing. */
export const legal = { terms: '/terms', privacy: '/privacy' } as const

/** The version of these texts that people accept when they register; kept with their acceptance. */
export const termsVersion = '2026-01'
