import Big from 'big.js'
import { includedMeters, perDollar } from '#money/pricing/file/example-plans.ts'
import { applyPlans, compare } from '#money/pricing/file/import-plans.ts'
import { exportPlans, type PlanEntry, type PlanFile } from '#money/pricing/file/plan-file.ts'
import type { Database } from '#platform/db/pool.ts'
import { capabilities } from '#workspaces/engines/simulated/offer.ts'

const since = '2020-01-01'

/** A plan with its price a month in each currency; its code at the simulated engine is `engine`. */
type DemoPlan = Omit<PlanEntry, 'position' | 'engines'> & {
  readonly engine: string
  readonly monthly: Readonly<Record<string, string>>
}

const plans: readonly DemoPlan[] = [
  {
    code: 'start',
    engine: 'standard',
    name: { en: 'Start', ro: 'Start' },
    description: { en: 'For a first site or a shop.', ro: 'Pentru un prim site sau un magazin.' },
    kind: 'web_hosting',
    needs_domain: false,
    state: 'offered',
    limits: { domains: 10, traffic_gb_month: 500 },
    monthly: { USD: '8.00', EUR: '7.50', RON: '38.00' },
  },
  {
    code: 'web-3',
    engine: 'web-3',
    name: { en: 'Web 3', ro: 'Web 3' },
    description: {
      en: 'Two web servers and one for the database.',
      ro: 'Două servere web și unul pentru baza de date.',
    },
    kind: 'server',
    needs_domain: false,
    state: 'offered',
    limits: { servers: 3, domains: 25, disk_gb: 960, traffic_gb_month: 2000 },
    monthly: { USD: '24.00', EUR: '22.00', RON: '112.00' },
  },
  {
    code: 'cluster-4',
    engine: 'cluster-4',
    name: { en: 'Cluster 4', ro: 'Cluster 4' },
    description: {
      en: 'Four nodes, which replace each other when one fails.',
      ro: 'Patru noduri, care se înlocuiesc unul pe altul la o defecțiune.',
    },
    kind: 'cluster',
    needs_domain: false,
    state: 'offered',
    limits: { clusters: 1, domains: 25, disk_gb: 960, traffic_gb_month: 4000 },
    monthly: { USD: '40.00', EUR: '37.00', RON: '188.00' },
  },
  {
    code: 'mail-24',
    engine: 'mail-24',
    name: { en: 'Mail 24', ro: 'Mail 24' },
    description: { en: 'E-mail for a team.', ro: 'E-mail pentru o echipă.' },
    kind: 'other',
    needs_domain: true,
    state: 'offered',
    limits: { mailboxes: 24, domains: 5, disk_gb: 320 },
    monthly: { USD: '12.00', EUR: '11.00', RON: '56.00' },
  },
  {
    code: 'old-web-2',
    engine: 'strained',
    name: { en: 'Old Web 2', ro: 'Web 2 vechi' },
    description: { en: 'Two servers, no longer sold.', ro: 'Două servere, nu se mai vinde.' },
    kind: 'server',
    needs_domain: false,
    state: 'retired',
    limits: { servers: 2, domains: 5 },
    monthly: { USD: '12.00', EUR: '11.00', RON: '56.00' },
  },
  {
    code: 'web-9',
    engine: 'web-9',
    name: { en: 'Web 9', ro: 'Web 9' },
    description: { en: '', ro: '' },
    kind: 'server',
    needs_domain: false,
    state: 'draft',
    limits: { servers: 9 },
    monthly: {},
  },
]

const valid = { from: since, to: null }

function listOf(file: PlanFile, currency: string): PlanFile['price_lists'][number] {
  const dollars = file.price_lists.find((list) => list.currency === 'USD' && list.default)
  const rate = perDollar[currency] ?? '1'
  const general = (dollars?.meters ?? []).map((one) => ({
    ...one,
    unit_price: one.unit_price && new Big(one.unit_price).times(rate).round(10).toFixed(),
  }))
  const sold = plans.filter(({ monthly }) => monthly[currency] !== undefined)
  const ofPlans = sold.flatMap(({ code }) =>
    includedMeters.map((meter) => ({
      meter,
      plan: code,
      kind: '',
      ...valid,
      unit_price: '0',
      included_per_day: '0',
      tiers: null,
    })),
  )
  return {
    code: currency === 'USD' ? (dollars?.code ?? 'standard') : currency.toLowerCase(),
    currency,
    default: true,
    fees: sold.map(({ code, monthly }) => ({ plan: code, ...valid, monthly: monthly[currency] ?? '0' })),
    meters: [...general, ...ofPlans],
  }
}

/** Offers plans in three currencies. */
export async function offerDemoPlans(tx: Database): Promise<void> {
  // The engine reports its capabilities later; without them no panel of these plans could be added.
  await tx
    .updateTable('panel_engines')
    .set({ capabilities: JSON.stringify(capabilities) })
    .where('code', '=', 'simulated')
    .execute()
  const before = await exportPlans(tx)
  const file: PlanFile = {
    plans: plans.map(({ engine, monthly: _, ...plan }, at) => ({
      ...plan,
      position: at + 1,
      engines: [{ engine: 'simulated', plan: engine, regions: [] }],
    })),
    price_lists: Object.keys(perDollar).map((currency) => listOf(before, currency)),
  }
  const { changes } = await compare(tx, file)
  await applyPlans(tx, file, changes)
}
