import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ActionOf, Output } from '../../api/actions.ts'
import { Loaded } from '../../components/loaded.tsx'
import { exact } from '../../components/moments.ts'
import { When } from '../../components/when.tsx'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconAlert, IconCheck } from '../../ui/icons.tsx'
import { Section, SectionList, SectionRow } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { deskHref } from '../routes.ts'

type Answer = Output<ActionOf<'desk-home', 'needs'>>
type Need = Answer['needs'][number]

const words: Record<Need['need'], (by: { count: number }) => string> = {
  checks_stop: m.desk_need_checks_stop,
  checks_warn: m.desk_need_checks_warn,
  disputes: m.desk_need_disputes,
  alerts: m.desk_need_alerts,
  engines_down: m.desk_need_engines_down,
  payments_stuck: m.desk_need_payments_stuck,
  jobs_dead: m.desk_need_jobs_dead,
  panels_failed: m.desk_need_panels_failed,
  month_open: m.desk_need_month_open,
  requests: m.desk_need_requests,
  addresses_waiting: m.desk_need_addresses_waiting,
  bank_open: m.desk_need_bank_open,
  bank_doubtful: m.desk_need_bank_doubtful,
  tickets_overdue: m.desk_need_tickets_overdue,
  tickets_unassigned: m.desk_need_tickets_unassigned,
  payments_failed: m.desk_need_payments_failed,
  letters_failed: m.desk_need_letters_failed,
  usage_rejected: m.desk_need_usage_rejected,
  einvoices_due: m.desk_need_einvoices_due,
  einvoices_unknown: m.desk_need_einvoices_unknown,
  einvoices_rejected: m.desk_need_einvoices_rejected,
  plans_waiting: m.desk_need_plans_waiting,
  trials_ending: m.desk_need_trials_ending,
}

const eFactura = (show: string) => (said: string) => (
  <Link to={deskHref('e-factura')} search={{ show }}>
    {said}
  </Link>
)

const payments = (show: string) => (said: string) => (
  <Link to={deskHref('payments')} search={{ state: show }}>
    {said}
  </Link>
)

const tickets = (assigned: string) => (said: string) => (
  <Link to={deskHref('tickets')} search={{ assigned }}>
    {said}
  </Link>
)

const checks = (said: string) => <Link to={deskHref('checks')}>{said}</Link>

const clients = (show: string) => (said: string) => (
  <Link to={deskHref('clients')} search={{ show }}>
    {said}
  </Link>
)

/** A link to the page of each kind of work. */
const links: Record<Need['need'], (said: string) => ReactNode> = {
  checks_stop: checks,
  checks_warn: checks,
  engines_down: (said) => (
    <Link to={deskHref('engines')} search={{ state: 'down' }}>
      {said}
    </Link>
  ),
  panels_failed: (said) => (
    <Link to={deskHref('panels')} search={{ state: 'error' }}>
      {said}
    </Link>
  ),
  alerts: (said) => <Link to={deskHref('alerts')}>{said}</Link>,
  disputes: payments('disputes'),
  payments_failed: payments('failed'),
  payments_stuck: payments('waiting'),
  month_open: (said) => <Link to={deskHref('closes')}>{said}</Link>,
  bank_open: (said) => <Link to={deskHref('bank')}>{said}</Link>,
  bank_doubtful: (said) => (
    <Link to={deskHref('bank')} search={{ show: 'doubtful' }}>
      {said}
    </Link>
  ),
  requests: (said) => <Link to={deskHref('requests')}>{said}</Link>,
  jobs_dead: (said) => <Link to={deskHref('jobs')}>{said}</Link>,
  addresses_waiting: (said) => (
    <Link to={deskHref('letters')} search={{ state: 'waiting' }}>
      {said}
    </Link>
  ),
  letters_failed: (said) => (
    <Link to={deskHref('letters')} search={{ state: 'failed' }}>
      {said}
    </Link>
  ),
  usage_rejected: (said) => <Link to={deskHref('engines')}>{said}</Link>,
  einvoices_due: eFactura('due'),
  einvoices_unknown: eFactura('unknown'),
  einvoices_rejected: eFactura('rejected'),
  plans_waiting: (said) => (
    <Link to={deskHref('panels')} search={{ state: 'plan' }}>
      {said}
    </Link>
  ),
  trials_ending: clients('trial_ends'),
  tickets_overdue: tickets('overdue'),
  tickets_unassigned: tickets('unassigned'),
}

/** Since when the oldest waits, and the first deadline. */
function Times({ since, until }: Pick<Need, 'since' | 'until'>) {
  return (
    <>
      {since && (
        <>
          {m.desk_need_oldest()} <When moment={since} />
        </>
      )}
      {since && until && ' · '}
      {until && m.desk_need_until({ moment: exact(until, language()) })}
    </>
  )
}

function Line({ need, urgent, count, since, until }: Need) {
  const said = words[need]({ count })
  return (
    <SectionRow
      icon={<IconAlert size={16} />}
      title={links[need](said)}
      text={(since || until) && <Times since={since} until={until} />}
    >
      {urgent && <Status tone="bad">{m.desk_need_urgent()}</Status>}
    </SectionRow>
  )
}

/** The reader's open work, the most urgent first. */
export function Needs({ query }: { query: UseQueryResult<Answer> }) {
  return (
    <Section id="needs" title={m.desk_needs_title()}>
      <Loaded query={query} rows={3}>
        {({ needs }) =>
          needs.length === 0 ? (
            <Empty
              icon={<IconCheck size={20} />}
              title={m.desk_needs_none_title()}
              text={m.desk_needs_none_text()}
            />
          ) : (
            <SectionList label={m.desk_needs_title()}>
              {needs.map((need) => (
                <Line key={need.need} {...need} />
              ))}
            </SectionList>
          )
        }
      </Loaded>
    </Section>
  )
}
