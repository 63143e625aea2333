/** The least and the most of a deposit, without VAT. */
export const depositLimits = { least: 5, most: 10_000 } as const
