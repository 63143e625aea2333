// Addresses of the pages that the page of prices links to: it is loaded without the table of routes.
export const dashboardPath = '/'
export const loginPath = '/login'
export const registerPath = '/register'
export const pricesPath = '/prices'

/** The description of the API, which the server writes from its declarations. */
export const apiDocsPath = '/api/docs'
