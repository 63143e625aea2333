// Method and path of the calls about one's own account that are not JSON:API.

export const security = { method: 'GET', path: '/api/user/security' } as const
export const securityLog = { method: 'GET', path: '/api/user/security-log' } as const
export const changePassword = { method: 'POST', path: '/api/user/password' } as const
export const changeEmail = { method: 'POST', path: '/api/user/email' } as const
export const twoFactorSetup = { method: 'POST', path: '/api/user/two-factor/setup' } as const
export const twoFactorEnable = { method: 'POST', path: '/api/user/two-factor/enable' } as const
export const twoFactorDisable = { method: 'POST', path: '/api/user/two-factor/disable' } as const
export const recoveryCodes = { method: 'POST', path: '/api/user/two-factor/recovery-codes' } as const
export const sessions = { method: 'GET', path: '/api/user/sessions' } as const
export const endSession = { method: 'DELETE', path: '/api/user/sessions/:id' } as const
export const endOtherSessions = { method: 'DELETE', path: '/api/user/sessions' } as const
export const passkeys = { method: 'GET', path: '/api/user/passkeys' } as const
export const newPasskeyOptions = { method: 'POST', path: '/api/user/passkeys/options' } as const
export const addPasskey = { method: 'POST', path: '/api/user/passkeys' } as const
export const renamePasskey = { method: 'PATCH', path: '/api/user/passkeys/:id' } as const
export const removePasskey = { method: 'DELETE', path: '/api/user/passkeys/:id' } as const
export const identities = { method: 'GET', path: '/api/user/identities' } as const
export const linkGoogle = { method: 'POST', path: '/api/user/identities/google' } as const
export const unlinkIdentity = { method: 'DELETE', path: '/api/user/identities/:id' } as const

// A letter names one address for both: the page is its GET.
export const unsubscribe = { method: 'POST', path: '/unsubscribe/:token' } as const

export const dataExports = { method: 'GET', path: '/api/user/exports' } as const
export const startExport = { method: 'POST', path: '/api/user/exports' } as const
/**
 * GET: the file, as a ZIP. 404 when it belongs to someone else or is deleted, 409 `not_ready`, 403
 * `recent_sign_in_required`.
 */
export const exportFile = { method: 'GET', path: '/api/user/exports/:id/file' } as const
export const closing = { method: 'GET', path: '/api/user/closing' } as const
export const closeAccount = { method: 'POST', path: '/api/user/close' } as const
