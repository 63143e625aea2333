/**
 * Method and path of every call that is not JSON:API. Apart from their schemas, which only the server reads: a page that
 * only makes the call does not carry them.
 */
export const addresses = {
  login: { method: 'POST', path: '/auth/login' },
  callback: { method: 'GET', path: '/auth/callback' },
  google: { method: 'GET', path: '/auth/google' },
  googleCallback: { method: 'GET', path: '/auth/google/callback' },
  refresh: { method: 'GET', path: '/auth/token' },
  refreshByPost: { method: 'POST', path: '/auth/token' },
  authConfig: { method: 'GET', path: '/auth/config' },
  currentUser: { method: 'GET', path: '/api/user' },
  logout: { method: 'GET', path: '/api/user/logout' },
} as const

/**
 * What stands where a refresh token would, when the browser keeps the token in a cookie that scripts cannot read: in
 * answers instead of the token, in `GET /auth/token` with the meaning "take the cookie".
 */
export const inCookie = 'cookie'
