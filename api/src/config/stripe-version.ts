/** The version of Stripe's API that the portal speaks. */
export const stripeVersion = '2026-10-28.endive'
