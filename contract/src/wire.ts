/** The path every JSON:API type lives under. */
export const base = '/api/v1'

/** JSON:API's media type; its only parameters are `ext` and `profile`. */
export const mediaType = 'application/vnd.api+json'

/** Rows per page: what the data tables of the portal offer, and the most that one request gets. */
export const pageSize = { default: 25, options: [25, 50, 100], max: 100 } as const
