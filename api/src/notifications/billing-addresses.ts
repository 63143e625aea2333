/** The addresses that letters about billing go to: the owner's, and those of the billing details, each once. */
export const billingAddresses = (email: string, more: string | null): string[] => [
  ...new Set([email, ...(more ?? '').split(',')].map((one) => one.trim().toLowerCase()).filter(Boolean)),
]
