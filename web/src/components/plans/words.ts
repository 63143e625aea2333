import type { ActionOf, Output } from '../../api/actions.ts'
import { inLanguage } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'

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
  disk_gb: m.plan_disk,
  traffic_gb_month: m.plan_traffic,
} as const

const limitNames = ['servers', 'clusters', 'domains', 'mailboxes', 'disk_gb', 'traffic_gb_month'] as const

/** The limits of a plan; resources that it does not offer are left out. */
export const planLimits = ({ limits }: Pick<Offer, 'limits'>): string[] =>
  limitNames.flatMap((name) => {
    const count = limits[name]
    return count === null || count === 0 ? [] : [limitWords[name]({ count })]
  })
