/** `clients.status`. */
export const clientStatus = { blocked: 0, active: 1, neverSignedIn: 2, closing: 3, closed: 4 } as const

/** The statuses of clients whose account is in use. */
export const inUse = [clientStatus.active, clientStatus.neverSignedIn] as const

/** The statuses of clients who may act: all but blocked and closed. */
export const mayAct = [clientStatus.active, clientStatus.neverSignedIn, clientStatus.closing] as const
