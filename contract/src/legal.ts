/** Where the operator's legal texts are. They are the operator's own pages, on the portal's host unless a proxy leads elsewhere. */
export const legal = { terms: '/terms', privacy: '/privacy' } as const
