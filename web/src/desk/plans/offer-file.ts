// The file in which a draft is offered, as the desk makes it from the server's own file.

type Plan = { readonly code: string; readonly state: string }
type List = {
  readonly code: string
  readonly currency: string
  readonly default: boolean
  readonly fees: readonly { readonly plan: string }[]
}

export type OfferFile = { readonly plans: readonly Plan[]; readonly price_lists: readonly List[] }

/**
 * The default lists without a price of the draft or of any plan that was offered, while another default list has one: clients
 * could choose their currency, and buy nothing.
 */
export function unsoldIn({ plans, price_lists: lists }: OfferFile, code: string): List[] {
  const sold = new Set([code, ...plans.filter(({ state }) => state !== 'draft').map((plan) => plan.code)])
  const sells = ({ default: isDefault, fees }: List) => isDefault && fees.some(({ plan }) => sold.has(plan))
  return lists.some(sells) ? lists.filter((list) => list.default && !sells(list)) : []
}

/** The text in which a plan is offered, and the lists that are left out are the default of their currency no more. */
export function offeredText(file: OfferFile, code: string, left: readonly string[]): string {
  const plans = file.plans.map((plan) => (plan.code === code ? { ...plan, state: 'offered' } : plan))
  const price_lists = file.price_lists.map((list) =>
    left.includes(list.code) ? { ...list, default: false } : list,
  )
  return JSON.stringify({ ...file, plans, price_lists })
}
