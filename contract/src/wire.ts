/** The path every JSON:API type lives under. */
export const base = '/api/v1'

/** JSON:API's media type; its only parameters are `ext` and `profile`. */
export const mediaType = 'application/vnd.api+json'

/** Rows per page: the choices of the data tables, and the maximum of one request. */
export const pageSize = { default: 25, options: [25, 50, 100], max: 100 } as const
