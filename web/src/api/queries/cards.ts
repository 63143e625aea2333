import { list } from '../query.ts'
import type { Row } from '../rows.ts'

export type Card = Row<'cards'>

/** The cards of an account (the person's own by default), the default card first. */
export const cardsOf = (client_id: number | undefined) => ({
  ...list('cards', { filter: { client_id }, page: { size: 100 } }),
  select: ({ items }: { items: readonly Card[] }) =>
    items.toSorted((a, b) => Number(b.is_default) - Number(a.is_default) || a.id - b.id),
})
