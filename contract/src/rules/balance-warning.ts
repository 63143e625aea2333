/** Below this sum of balance and credit the client is warned (seed, section 9). */
export const warnBelow = -3

/** From this many full days below zero on the client is warned. */
export const warnAfterNegativeDays = 15

type Balance = { readonly account_balance: number; readonly credit_balance: number }

// Amounts are exact to 6 decimals on the wire; their sum as floats may be off in the sixteenth.
const exactly = (sum: number): number => Math.round(sum * 1e6) / 1e6

/** The banner tells a client to top up: either the debt is large, or it is old. */
export const balanceWarning = (account: Balance, negativeDays: number): boolean =>
  exactly(account.account_balance + account.credit_balance) < warnBelow ||
  negativeDays >= warnAfterNegativeDays
