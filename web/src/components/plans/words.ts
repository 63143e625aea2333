import type { ActionOf, Output } from '../../api/actions.ts'
import { inLanguage } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { quantity } from '../money/figures.ts'

export type Offer = Output<ActionOf<'plans', 'offers'>>['plans'][number]
type Named = Pick<Offer, 'name_en' | 'name_ro' | 'description_en' | 'description_ro'>

/** A plan's name and description in the reader's language. */
export const planName = (plan: Pick<Named, 'name_en' | 'name_ro'>): string =>
  inLanguage(plan.name_en, plan.name_ro)
export const planDescription = (plan: Named): string => inLanguage(plan.description_en, plan.description_ro)

const limitWords = {
  servers: m.plan_servers,
  clusters: m.plan_clusters,
  domains: m.plan_domains,
  mailboxes: m.mailboxes_count,
  disk_gb: ({ count }: { count: number }) => m.plan_disk({ count: quantity(count) }),
  traffic_gb_month: ({ count }: { count: number }) => m.plan_traffic({ count: quantity(count) }),
} as const

/** The names of limits, in the order in which they are shown. */
const limitNames = Object.keys(limitWords) as (keyof typeof limitWords)[]

/** The limits of a plan; resources that it does not offer are left out. */
export const planLimits = ({ limits }: Pick<Offer, 'limits'>): string[] =>
  limitNames.flatMap((name) => {
    const count = limits[name]
    return count === null || count === 0 ? [] : [limitWords[name]({ count })]
  })
