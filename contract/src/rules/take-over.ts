/** The accounts that one call links or releases at most: each is a call of the engine. */
export const mostAccounts = 50
