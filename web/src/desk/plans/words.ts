import type { ActionOf, Output } from '../../api/actions.ts'
import type { Row } from '../../api/rows.ts'
import { meterName } from '../../components/money/words.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import type { Tone } from '../../ui/status.tsx'

/** The states of a plan. */
export const stateWords: Record<
  Row<'desk-plans'>['state'],
  { readonly tone: Tone; readonly name: () => string }
> = {
  offered: { tone: 'good', name: m.desk_plans_offered },
  draft: { tone: 'idle', name: m.desk_plans_draft },
  retired: { tone: 'idle', name: m.desk_plans_retired },
}

export type Preview = Output<ActionOf<'desk-plans', 'previewPlans'>>
export type Change = Preview['changes'][number]

/** The names of the kinds of changes. */
export const acts: Record<Change['act'], { readonly tone: Tone; readonly name: () => string }> = {
  new: { tone: 'good', name: m.desk_plans_new },
  changed: { tone: 'warn', name: m.desk_plans_changed },
  removed: { tone: 'bad', name: m.desk_plans_removed },
}

const units: Partial<Record<string, () => string>> = {
  cpu_hours: m.desk_price_unit_cpu_hours,
  ram_gb_hours: m.desk_price_unit_ram_gb_hours,
  disk_gb_hours: m.desk_price_unit_disk_gb_hours,
  traffic_gb: m.desk_price_unit_traffic_gb,
  ipv4_hours: m.desk_price_unit_ipv4_hours,
  backup_gb_hours: m.desk_price_unit_backup_gb_hours,
  domain_days: m.desk_price_unit_domain_days,
  mailbox_days: m.desk_price_unit_mailbox_days,
  panel_hours: m.desk_price_unit_panel_hours,
}

/** What a price of a meter is for; undefined for a monthly fee, and for a meter of the operator's own. */
export const unitOf = (meter: string | null): string | undefined => units[meter ?? '']?.()

/** The subject of a change. */
export function aboutOf({ of, plan, list, meter, resource_kind: kind }: Change): string {
  const inList = list ?? ''
  switch (of) {
    case 'plan':
      return m.desk_plans_of_plan({ plan: plan ?? '' })
    case 'list':
      return m.desk_plans_of_list({ list: inList })
    case 'fee':
      return m.desk_plans_of_fee({ plan: plan ?? '', list: inList })
    case 'meter':
      return m.desk_plans_of_meter({
        meter: [meterName(meter ?? ''), kind].filter(Boolean).join(', '),
        plan: plan ?? m.desk_plans_any(),
        list: inList,
      })
  }
}

const isPrice = ({ of }: Change) => of === 'fee' || of === 'meter'

/** The details of a change: prices before and after, and from when. */
export function termsOf(change: Change): string[] {
  const { was, becomes, from } = change
  const tiers = m.desk_plans_tiers()
  const before = change.act === 'new' ? undefined : (was ?? tiers)
  const after = change.act === 'removed' ? undefined : (becomes ?? tiers)
  if (!isPrice(change)) return []
  const amounts = before === after ? [after] : [before, after]
  return [
    amounts.filter((one) => one !== undefined).join(' → '),
    from === null ? m.desk_plans_always() : m.desk_plans_from({ day: dayInWords(from, language()) }),
  ]
}

const fieldNames: Readonly<Record<string, () => string>> = {
  name: m.desk_plan_names,
  description: m.desk_plans_field_description,
  kind: m.desk_plan_kind,
  needs_domain: m.desk_plan_domain,
  state: m.column_status,
  position: m.desk_plans_field_position,
  limits: m.desk_plans_limits,
  engines: m.desk_plan_engines,
  currency: m.desk_rates_currency,
  default: m.desk_plans_field_default,
  to: m.desk_plans_field_end,
  monthly: m.desk_plan_fees,
  unit_price: m.desk_plan_fees,
  included_per_day: m.desk_plan_included,
  tiers: m.desk_plans_tiers,
}

/** What differs, in words; a newer server may have other fields. */
export const fieldsOf = ({ fields }: Change): string[] => fields.map((name) => fieldNames[name]?.() ?? name)
