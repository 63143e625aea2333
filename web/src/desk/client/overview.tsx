import type { ReactNode } from 'react'
import { When } from '../../components/when.tsx'
import { language, languageNames, languages } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { Events } from '../events/events.tsx'
import { ClientPanels } from '../panels/client-panels.tsx'
import classes from './client.module.css'
import type { Client } from './words.tsx'

const dayOf = (day: string | null) => (day === null ? null : dayInWords(day, language()))
const momentOf = (moment: string | null) => moment && <When moment={moment} />

/** The lists of prices of their own, now and planned. */
const listsOf = ({ price_lists }: Client): string =>
  price_lists
    .map(({ code: list, from_day, to_day }) =>
      to_day === null
        ? m.desk_list_span({ list, from: from_day === null ? '–' : dayInWords(from_day, language()) })
        : m.desk_list_span_until({ list, until: dayInWords(to_day, language()) }),
    )
    .join(', ') || m.desk_list_default()

const termsOf = ({ due_days: days }: Client): string =>
  days === null ? m.desk_terms_default() : m.desk_terms_after({ count: days })

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children ?? '–'}</dd>
    </div>
  )
}

/** Who the client is, and what they have. */
export function Overview({ client }: { client: Client }) {
  const spoken = languages.find((one) => one === client.language)
  return (
    <>
      <dl className={`card ${classes.facts}`}>
        <Fact name={m.desk_fact_person()}>{`${client.first_name} ${client.last_name}`}</Fact>
        <Fact name={m.email()}>
          {client.email_verified_at === null
            ? m.desk_email_unconfirmed({ email: client.email })
            : client.email}
        </Fact>
        <Fact name={m.desk_column_country()}>{client.country}</Fact>
        <Fact name={m.language()}>{spoken && languageNames[spoken]}</Fact>
        <Fact name={m.desk_column_since()}>{dayInWords(client.createdAt, language())}</Fact>
        <Fact name={m.desk_fact_sign_in()}>{momentOf(client.last_sign_in_at)}</Fact>
        <Fact name={m.desk_fact_trial()}>{momentOf(client.trial_ends_at)}</Fact>
        <Fact name={m.desk_fact_suspended()}>{dayOf(client.suspended_on)}</Fact>
        {client.closed_at && <Fact name={m.desk_fact_closed()}>{momentOf(client.closed_at)}</Fact>}
        {client.erased_at && <Fact name={m.desk_fact_erased()}>{momentOf(client.erased_at)}</Fact>}
        <Fact name={m.desk_list_fact()}>{listsOf(client)}</Fact>
        <Fact name={m.desk_fact_terms()}>{termsOf(client)}</Fact>
        <Fact name={m.desk_fact_hold()}>{dayOf(client.dunning_hold_until)}</Fact>
      </dl>
      <h2 className={classes.heading}>{m.desk_tab_panels()}</h2>
      <ClientPanels client={client} />
      <div className={classes.events}>
        <Events client={client} />
      </div>
    </>
  )
}
