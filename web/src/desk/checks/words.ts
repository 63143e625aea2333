import { unexplained } from '@portico/contract/resources/staff-actions.ts'
import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'
import type { Tone } from '../../ui/status.tsx'
import type { DeskRouteName } from '../routes.ts'

export type Check = Row<'desk-checks'>
export type State = Check['state']

type Named = { readonly tone: Tone; readonly name: () => string }

/** What the states of checks are called. */
export const states: Record<State, Named> = {
  stop: { tone: 'bad', name: m.desk_checks_stop },
  warn: { tone: 'warn', name: m.desk_checks_warn },
  hint: { tone: 'idle', name: m.desk_checks_hint },
  good: { tone: 'good', name: m.desk_checks_good },
}

/** What the states of steps are called: a warning and a stop are both to do. */
export const stepStates: Record<State, Named> = {
  stop: { tone: 'bad', name: m.desk_checks_todo },
  warn: { tone: 'warn', name: m.desk_checks_todo },
  hint: { tone: 'idle', name: m.desk_checks_optional },
  good: { tone: 'good', name: m.desk_checks_done },
}

const subjects: Readonly<Record<string, () => string>> = {
  address: m.desk_check_address,
  backup: m.desk_check_backup,
  brand: m.desk_brand_title,
  clock: m.desk_check_clock,
  copy: m.desk_check_copy,
  database: m.desk_check_database,
  disk: m.desk_check_disk,
  engine: m.desk_check_engine,
  files: m.desk_check_files,
  jobs: m.desk_check_jobs,
  log: m.desk_check_log,
  mail: m.desk_check_mail,
  metrics: m.desk_check_metrics,
  operator: m.desk_check_operator,
  payments: m.desk_check_payments,
  plans: m.desk_check_plans,
  pooler: m.desk_check_pooler,
  prices: m.desk_check_prices,
  proxy: m.desk_check_proxy,
  rates: m.desk_check_rates,
  secret: m.desk_check_secret,
  series: m.desk_check_series,
  staff: m.desk_check_staff,
  stripe: m.desk_check_stripe,
  terms: m.desk_check_terms,
  trial: m.desk_check_trial,
  usage: m.desk_check_usage,
  webhook: m.desk_check_webhook,
}

/** The name of what a check is about; a newer server may have others. */
export const subjectOf = (about: string): string => subjects[about]?.() ?? about

/** The pages where something is mended; the rest is set on the server. */
export const pages: Readonly<Record<string, DeskRouteName>> = {
  log: 'log',
  operator: 'company',
  series: 'company',
  staff: 'staff',
  jobs: 'jobs',
  terms: 'texts',
  brand: 'brand',
  mail: 'settings',
  stripe: 'settings',
  payments: 'settings',
  webhook: 'settings',
  engine: 'engines',
  usage: 'engines',
  // Not good while none is offered, so it leads to the form of the first one.
  plans: 'add-plan',
  prices: 'plans',
  trial: 'policies',
  rates: 'rates',
}

/** What of its page a check is about: the filters in the address. */
export const filterOf = (about: string) => (about === 'log' ? { origin: unexplained } : {})

type Step = { readonly name: () => string; readonly text: () => string; readonly about: readonly string[] }

/** The steps of the set-up, each with the checks that show whether it is done. */
export const steps: readonly Step[] = [
  { name: m.desk_step_you, text: m.desk_step_you_text, about: ['staff'] },
  { name: m.desk_step_company, text: m.desk_step_company_text, about: ['operator'] },
  { name: m.desk_step_brand, text: m.desk_step_brand_text, about: ['brand'] },
  { name: m.desk_step_series, text: m.desk_step_series_text, about: ['series'] },
  { name: m.desk_step_prices, text: m.desk_step_prices_text, about: ['prices', 'plans', 'trial'] },
  { name: m.desk_step_rates, text: m.desk_step_rates_text, about: ['rates'] },
  { name: m.desk_step_mail, text: m.desk_step_mail_text, about: ['mail'] },
  { name: m.desk_step_payments, text: m.desk_step_payments_text, about: ['stripe', 'payments', 'webhook'] },
  { name: m.desk_step_files, text: m.desk_step_files_text, about: ['files'] },
  { name: m.desk_step_engine, text: m.desk_step_engine_text, about: ['engine'] },
  { name: m.desk_step_texts, text: m.desk_step_texts_text, about: ['terms'] },
]

const order: readonly State[] = ['stop', 'warn', 'hint', 'good']

/** The worst check of some subjects; undefined when nothing about them was found. */
export const worstOf = (checks: readonly Check[], about: readonly string[]): Check | undefined =>
  checks
    .filter((check) => about.includes(check.about))
    .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))[0]
