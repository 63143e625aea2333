/** Whether this browser supports passkeys. */
export const canUsePasskeys = (): boolean => typeof PublicKeyCredential !== 'undefined'
