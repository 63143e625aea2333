// Method and path of every call that is not JSON:API, but those of an account (account/addresses.ts), which the first
// page does not load. They are separate from the schemas, which only the server reads.

export const login = { method: 'POST', path: '/auth/login' } as const
export const loginTwoFactor = { method: 'POST', path: '/auth/login/two-factor' } as const
export const passkeyOptions = { method: 'POST', path: '/auth/passkey/options' } as const
export const passkeyVerify = { method: 'POST', path: '/auth/passkey/verify' } as const
export const callback = { method: 'GET', path: '/auth/callback' } as const
export const google = { method: 'GET', path: '/auth/google' } as const
export const googleCallback = { method: 'GET', path: '/auth/google/callback' } as const
export const confirmSignIn = { method: 'POST', path: '/auth/confirm' } as const
export const refresh = { method: 'GET', path: '/auth/token' } as const
export const refreshByPost = { method: 'POST', path: '/auth/token' } as const
export const authConfig = { method: 'GET', path: '/auth/config' } as const

export const register = { method: 'POST', path: '/auth/register' } as const
export const registration = { method: 'POST', path: '/auth/registration' } as const
export const verifyEmail = { method: 'GET', path: '/auth/verify-email/:id/:hash' } as const
export const resendConfirmation = { method: 'GET', path: '/api/mail/resend-confirmation' } as const
export const forgotPassword = { method: 'POST', path: '/auth/password/forgot' } as const
export const checkReset = { method: 'POST', path: '/auth/password/check' } as const
export const resetPassword = { method: 'POST', path: '/auth/password/reset' } as const
export const confirmEmail = { method: 'POST', path: '/auth/email/confirm' } as const
export const undoEmail = { method: 'POST', path: '/auth/email/undo' } as const

export const checkStaffInvitation = { method: 'POST', path: '/auth/staff-invitation/check' } as const
export const acceptStaffInvitation = { method: 'POST', path: '/auth/staff-invitation/accept' } as const
export const checkSetupLink = { method: 'POST', path: '/auth/first-admin/check' } as const
export const createFirstAdmin = { method: 'POST', path: '/auth/first-admin' } as const

export const currentUser = { method: 'GET', path: '/api/user' } as const
export const chooseLanguage = { method: 'PATCH', path: '/api/user' } as const
export const logout = { method: 'GET', path: '/api/user/logout' } as const

/** The card form of the sandbox. */
export const sandboxCard = { method: 'POST', path: '/api/sandbox/setup-intents/:ref/card' } as const
export const outbox = { method: 'GET', path: '/api/outbox' } as const
export const outboxLetter = { method: 'GET', path: '/api/outbox/:id' } as const
/** The bytes of a file attached to a letter. */
export const outboxFile = { method: 'GET', path: '/api/outbox/:id/files/:name' } as const
export const answerLetter = { method: 'POST', path: '/api/outbox/:id/answer' } as const
export const businessDay = { method: 'GET', path: '/api/demo/day' } as const
export const advanceDay = { method: 'POST', path: '/api/demo/advance-day' } as const

/**
 * Replaces the refresh token when the browser keeps it in a cookie that scripts cannot read: in responses,
 * and in `GET /auth/token`, where it means that the server reads the cookie.
 */
export const inCookie = 'cookie'
