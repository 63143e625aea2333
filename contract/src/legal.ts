/** Where the operator's legal texts are. They are the operator's own pages, on the portal's host unless a proxy leads elsewhere. */
export const legal = { terms: '/terms', privacy: '/privacy' } as const

/** The version of these texts that people accept when they register; kept with their acceptance. */
export const termsVersion = '2026-01'
