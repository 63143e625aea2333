/** Whether this browser can make and use passkeys at all. */
export const canUsePasskeys = (): boolean => typeof PublicKeyCredential !== 'undefined'
