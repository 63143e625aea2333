/** At least this many characters; there are no rules of composition (NIST SP 800-63B, 5.1.1.2). */
export const shortestPassword = 10
export const longestPassword = 128
