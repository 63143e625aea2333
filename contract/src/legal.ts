/** Paths of the operator's legal texts, which are published at the desk; a proxy may serve them in front of the portal. */
export const legal = { terms: '/terms', privacy: '/privacy' } as const

/** The version that is stored with an acceptance while no text is published at the desk. */
export const termsVersion = '2026-01'
