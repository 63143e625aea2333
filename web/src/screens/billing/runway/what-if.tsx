import { NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Billing, useAmounts } from '../../../api/queries/billing.ts'
import { usageSums } from '../../../api/queries/usage.ts'
import { action } from '../../../api/query.ts'
import { useAccount } from '../../../components/money/account.tsx'
import { amountIn, currencySection } from '../../../components/money/amount.ts'
import { fineMoney } from '../../../components/money/figures.ts'
import { inLanguage } from '../../../stores/language.ts'
import { m } from '../../../texts/compiled/messages.js'
import { addDays } from '../../../ui/days.ts'
import { money } from '../../../ui/format.ts'
import classes from '../billing.module.css'
import type { TopUps } from './projection.ts'
import { QuickAmounts } from './quick-amounts.tsx'
import { RunwayChart } from './runway-chart.tsx'
import { daysLeft, type Lasting, leftInWords } from './runway-words.ts'
import { UnlikelyTimeline } from './timeline.tsx'
import { runwayInWords } from './top-ups.ts'

/** Debounce in milliseconds, so that not every digit is a request. */
const typingPause = 250

/** Each panel's cost per day, over the days of the average daily use. */
function usePanels({ as_of, daily_use_basis_days: days, id }: Billing) {
  const range = { from: addDays(as_of, -days), to: addDays(as_of, -1) }
  const { data } = useQuery({ ...usageSums({ client_id: id }, range, 'panel'), enabled: days > 0 })
  return (data?.rows ?? [])
    .map(({ key: [panel = ''], label: [name = ''], charged_amount }) => ({
      id: panel,
      name,
      daily: Math.round((charged_amount / days) * 1e6) / 1e6,
    }))
    .filter(({ daily }) => daily > 0)
}

type More = { readonly extra_daily?: number; readonly plan?: string }

/** The forecast for a payment and one more panel; undefined while neither is entered. */
function useForecast({ id, as_of }: Billing, pay: number, more: More | undefined): Lasting | undefined {
  const isAsked = pay > 0 || more !== undefined
  const { data } = useQuery({
    ...action('billing-profiles', 'forecast', { id, payload: { pay, ...more } }),
    placeholderData: keepPreviousData,
    enabled: isAsked,
  })
  return isAsked && data ? { ...data, as_of } : undefined
}

type Choice = { readonly id: string; readonly words: string; readonly more: More }

/** The plans that are offered, at their price, and the panels of the account, at their use. */
function useChoices(profile: Billing): Choice[] {
  const { id, currency } = profile
  const { data } = useQuery(action('plans', 'offers', { payload: { client_id: id } }))
  const inWords = (daily: number) => (daily < 1 ? fineMoney(daily, currency) : money(daily, currency))
  const plans = (data?.plans ?? []).flatMap((plan) =>
    plan.daily === null
      ? []
      : [
          {
            id: `plan ${plan.code}`,
            words: m.runway_plan({
              name: inLanguage(plan.name_en, plan.name_ro),
              amount: inWords(plan.daily),
            }),
            more: { plan: plan.code },
          },
        ],
  )
  const panels = usePanels(profile).map(({ id, name, daily }) => ({
    id,
    words: m.runway_like({ name, amount: inWords(daily) }),
    more: { extra_daily: daily },
  }))
  return [...plans, ...panels]
}

function MorePanel(props: { choices: readonly Choice[]; value: string; onChange: (id: string) => void }) {
  const { choices, value, onChange } = props
  if (choices.length === 0) return null
  return (
    <NativeSelect
      label={m.runway_panel()}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">{m.none()}</option>
      {choices.map(({ id, words }) => (
        <option key={id} value={id}>
          {words}
        </option>
      ))}
    </NativeSelect>
  )
}

function Bar({
  name,
  lasting,
  longest,
  isThen,
}: {
  name: string
  lasting: Lasting
  longest: number
  isThen: boolean
}) {
  const days = lasting.available <= 0 ? 0 : (daysLeft(lasting) ?? longest)
  return (
    <>
      <dt>{name}</dt>
      <dd className={`${classes.track} ${isThen ? classes.supposed : ''}`} aria-hidden="true">
        <span className={classes.fill} style={{ width: `${(100 * days) / longest}%` }} />
      </dd>
      <dd>{leftInWords(lasting)}</dd>
    </>
  )
}

/** Both in one row, the longer one over the whole width. */
function Compared({ now, then }: { now: Lasting; then: Lasting }) {
  const longest = Math.max(1, daysLeft(now) ?? 0, daysLeft(then) ?? 0)
  return (
    <dl className={classes.bars}>
      <Bar name={m.runway_now()} lasting={now} longest={longest} isThen={false} />
      <Bar name={m.runway_then()} lasting={then} longest={longest} isThen />
    </dl>
  )
}

/** The runway as a chart, which follows a payment or one more panel that is tried out. */
export function WhatIf({ profile, topUps }: { profile: Billing; topUps: TopUps | undefined }) {
  const account = useAccount()
  const [paid, setPaid] = useState('')
  const [chosen, setChosen] = useState('')
  const choices = useChoices(profile)
  const { currency } = profile
  const quick = useAmounts(account)?.quick_amounts
  const [pay] = useDebouncedValue(amountIn(paid, undefined, currency) ?? 0, typingPause)
  const more = choices.find(({ id }) => id === chosen)?.more
  const then = useForecast(profile, pay, more)
  return (
    <div className={topUps ? classes.tried : classes.then}>
      <RunwayChart profile={profile} then={then} topUps={topUps} />
      <div className={classes.then}>
        <div className={classes.what}>
          <div>
            <TextInput
              label={m.runway_pay()}
              inputMode="decimal"
              {...currencySection(currency)}
              value={paid}
              error={
                paid.trim() !== '' && amountIn(paid, undefined, currency) === undefined && m.fault_amount()
              }
              onChange={(event) => setPaid(event.currentTarget.value)}
            />
            <QuickAmounts
              amounts={quick ?? []}
              currency={currency}
              onChoose={(amount) => setPaid(String(amount))}
            />
          </div>
          <MorePanel choices={choices} value={chosen} onChange={setChosen} />
        </div>
        <div role="status" className={classes.then}>
          {then && (
            <>
              <p className={classes.answer}>
                {m.runway_if({ sentence: runwayInWords(then, topUps, currency) })}
              </p>
              {!topUps && <Compared now={profile} then={then} />}
            </>
          )}
        </div>
        {topUps && <UnlikelyTimeline profile={profile} />}
      </div>
    </div>
  )
}
