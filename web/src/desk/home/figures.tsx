import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ActionOf, Output } from '../../api/actions.ts'
import { Loaded } from '../../components/loaded.tsx'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import { Section } from '../../ui/section.tsx'
import { ByDay } from './by-day.tsx'
import classes from './figures.module.css'

type Answer = Output<ActionOf<'desk-home', 'figures'>>

function Figure({ name, value, note }: { name: string; value: ReactNode; note: string }) {
  return (
    <div className={classes.figure}>
      <dt>{name}</dt>
      <dd className="numbers">{value}</dd>
      <dd className={classes.note}>{note}</dd>
    </div>
  )
}

/** The sums of one currency: they are never added up over currencies. */
function OfCurrency({ currency, from, ...sums }: Answer['money'][number] & { from: string }) {
  const said = (amount: number) => money(amount, currency)
  return (
    <div className={classes.group}>
      <h3>{currency}</h3>
      <dl className={classes.figures}>
        <Figure
          name={m.desk_figure_charged()}
          value={said(sums.charged)}
          note={m.desk_figure_before({ value: said(sums.charged_before) })}
        />
        <Figure
          name={m.desk_figure_received()}
          value={said(sums.received)}
          note={m.desk_figure_before({ value: said(sums.received_before) })}
        />
        <Figure
          name={m.desk_figure_owed()}
          value={said(sums.owed)}
          note={m.desk_figure_owing({ count: sums.owing })}
        />
        {sums.mrr !== null && (
          <Figure
            name={m.desk_report_mrr()}
            value={said(sums.mrr)}
            note={sums.mrr_before === null ? '' : m.desk_figure_month_end({ value: said(sums.mrr_before) })}
          />
        )}
      </dl>
      <ByDay from={from} amounts={sums.charged_by_day} currency={currency} />
    </div>
  )
}

/** The figures of the month so far, with those of the same days of the month before. */
export function Figures({ query }: { query: UseQueryResult<Answer> }) {
  return (
    <Section id="figures" title={m.desk_figures_title()} lead={m.desk_figures_lead()}>
      <Loaded query={query} rows={3}>
        {({ now, money: sums, joined, left }) => (
          <div className={classes.body}>
            {sums.map((one) => (
              <OfCurrency key={one.currency} from={now.from} {...one} />
            ))}
            <div className={classes.group}>
              <h3>{m.desk_figures_clients()}</h3>
              <dl className={classes.figures}>
                <Figure
                  name={m.desk_figure_joined()}
                  value={joined.now}
                  note={m.desk_figure_before({ value: joined.before })}
                />
                <Figure
                  name={m.desk_figure_left()}
                  value={left.now}
                  note={m.desk_figure_before({ value: left.before })}
                />
              </dl>
            </div>
          </div>
        )}
      </Loaded>
    </Section>
  )
}
