import type { VatDecision } from '@portico/contract/rules/vat.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import type { Line } from '#money/invoices/issue-document.ts'
import { rounded } from '#money/minor-units.ts'
import type { Database } from '#platform/db/pool.ts'

/** A month by its first UTC day and the first day after it. */
export type Month = { readonly from: string; readonly until: string }

type Used = {
  readonly project_id: number
  readonly project: string
  readonly panel_id: number
  readonly panel: string
  /** The plan whose fee it is, and its hours that are on no bill yet; null: metered use. */
  readonly plan: { readonly en: string; readonly ro: string; readonly hours: number } | null
  /** Exact to six decimals; negative when more was corrected than used. */
  readonly amount: string
}

/** The unbilled charges of these days, by panel and plan. */
export async function unbilledUse(
  tx: Database,
  clientId: number,
  days: readonly string[],
): Promise<readonly Used[]> {
  const { rows } = await sql<Used>`
    select u.project_id, p.name as project, u.panel_id, n.name as panel, sum(u.charged_amount - u.billed_amount) as amount,
      case when f.id is not null then jsonb_build_object('en', f.name_en, 'ro', f.name_ro,
        'hours', coalesce(sum(l.quantity) filter (where u.service_bill_id is null), 0)::int) end as plan
    from usages u join projects p on p.id = u.project_id join panels n on n.id = u.panel_id
    left join plans f on u.resource_ref = 'plan/' || f.code
    left join usage_lines l on f.id is not null and l.usage_id = u.id
    where u.client_id = ${clientId} and u.usage_on = any(${[...days]}::date[]) and u.charged_amount <> u.billed_amount
    group by u.project_id, p.name, u.panel_id, n.name, f.id
    order by p.name, n.name, u.panel_id, f.position nulls last, f.id`.execute(tx)
  return rows
}

const monthName = (language: 'en' | 'ro', { from }: Month): string =>
  new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(from),
  )

/** Quantity 1 or -1 with a positive price. */
const signed = (amount: Big): Pick<Line, 'quantity' | 'unitPrice'> => ({
  quantity: new Big(amount.lt(0) ? -1 : 1),
  unitPrice: amount.abs(),
})

/** The name of a usage line in the language of the document. */
function usageName(language: 'en' | 'ro', { plan, project, panel }: Used, month: Month): string {
  const about = `${project} / ${panel}, ${monthName(language, month)}`
  if (plan === null) return `${language === 'ro' ? 'Găzduire' : 'Hosting'}, ${about}`
  const hours = plan.hours > 0 ? `, ${plan.hours} h` : ''
  return `${language === 'ro' ? `Plan ${plan.ro}` : `Plan ${plan.en}`}, ${about}${hours}`
}

type Rounded = Used & { readonly cents: Big }

/** The line that bears a rounding difference: the largest metered one, so that a whole month of a plan reads its price. */
function bearing(lines: readonly Rounded[], left: Big): Rounded | undefined {
  const sorted = [...lines].sort((a, b) => b.cents.cmp(a.cents))
  const metered = sorted.find(({ plan }) => plan === null)
  const bears = metered !== undefined && (metered === sorted[0] || metered.cents.plus(left).gte(0))
  return bears ? metered : sorted[0]
}

/**
 * A line for each panel's metered use and for each of its plans, adding up to `total` exactly. Those with zero have no line.
 */
export function usageLines(
  used: readonly Used[],
  total: Big,
  { vat, month, currency }: { readonly vat: VatDecision; readonly month: Month; readonly currency: string },
): Line[] {
  const each = used.map((one) => ({ ...one, cents: rounded(new Big(one.amount), currency) }))
  const left = each.reduce((rest, one) => rest.minus(one.cents), total)
  const bearer = bearing(each, left)
  return each
    .map((one) => ({ ...one, cents: one === bearer ? one.cents.plus(left) : one.cents }))
    .filter((one) => !one.cents.eq(0))
    .map((one) => ({
      kind: 'usage',
      en: usageName('en', one, month),
      ro: usageName('ro', one, month),
      ...signed(one.cents),
      vat,
      projectId: one.project_id,
      panelId: one.panel_id,
    }))
}

/** The deduction of promotional credit. */
export const discountLine = (amount: Big, vat: VatDecision): Line => ({
  kind: 'discount',
  en: 'Promotional credit',
  ro: 'Credit promoțional',
  ...signed(amount.neg()),
  vat,
})

/** An advance with an unused rest. */
export type Advance = {
  readonly id: number
  readonly fullNumber: string
  /** Net, in cents. */
  readonly left: string
  readonly vat: Line['vat']
}

/** A client's unused advances, oldest first, without what is on its way back to the client. The caller holds the client's accounts. */
export async function openAdvances(tx: Database, clientId: number): Promise<readonly Advance[]> {
  const { rows } = await sql<Advance>`
    select i.id, i.full_number as "fullNumber", i.net - coalesce(c.used, 0) - coalesce(r.claimed, 0) as left,
      jsonb_build_object('country', g ->> 'country', 'category', g ->> 'category', 'rate', g ->> 'rate',
        'treatment', i.vat_treatment) as vat
    from invoices i
    cross join lateral (select i.vat_groups -> 0 as g) x
    left join lateral (select sum(amount) as used from advance_consumptions a where a.advance_id = i.id) c on true
    left join (select coalesce(f.advance_invoice_id, p.advance_invoice_id) as id, sum(f.net) as claimed
      from payment_refunds f join payments p on p.id = f.payment_id
      where f.client_id = ${clientId} and f.status = 'pending' group by 1) r on r.id = i.id
    where i.client_id = ${clientId} and i.kind = 'fiscal' and i.reason = 'advance' and i.issued_at is not null
      and i.net > coalesce(c.used, 0) + coalesce(r.claimed, 0)
    order by i.issue_date, i.id`.execute(tx)
  return rows
}

/** The consumed part of an advance. */
export type Consumption = { readonly advance: Advance; readonly amount: Big }

/** Takes a net amount from advances, first in first out; `missing` is the part without an advance. */
export function consume(advances: readonly Advance[], amount: Big): { taken: Consumption[]; missing: Big } {
  const taken: Consumption[] = []
  let missing = amount
  for (const advance of advances) {
    if (missing.lte(0)) break
    const part = missing.lt(advance.left) ? missing : new Big(advance.left)
    taken.push({ advance, amount: part })
    missing = missing.minus(part)
  }
  return { taken, missing }
}

/**
 * The deduction of an advance, at the rate of its invoice (HG 1/2016, pct. 95(2); Cod fiscal, art. 291(6)).
 */
export const regularisation = ({ advance, amount }: Consumption): Line => ({
  kind: 'advance_regularisation',
  en: `Settlement of advance ${advance.fullNumber}`,
  ro: `Regularizare avans ${advance.fullNumber}`,
  ...signed(amount.neg()),
  vat: advance.vat,
  refInvoiceId: advance.id,
})

/** The deduction of a balance without an advance invoice here, brought over from an earlier system. */
export const broughtOver = (amount: Big, vat: VatDecision): Line => ({
  kind: 'advance_regularisation',
  en: 'Settlement of the balance brought over',
  ro: 'Regularizare sold preluat',
  ...signed(amount.neg()),
  vat,
})
