/** The minimum length; there are no composition rules (NIST SP 800-63B, 5.1.1.2). */
export const shortestPassword = 10
export const longestPassword = 128
