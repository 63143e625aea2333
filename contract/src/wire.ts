/** The path every JSON:API type lives under. */
export const base = '/api/v1'

/** JSON:API's media type; its only parameters are `ext` and `profile`. */
export const mediaType = 'application/vnd.api+json'
