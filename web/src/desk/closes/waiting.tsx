import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { action } from '../../api/query.ts'
import { Loaded } from '../../components/loaded.tsx'
import { When } from '../../components/when.tsx'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import { IconAlert, IconReceipt } from '../../ui/icons.tsx'
import { Section, SectionList, SectionRow } from '../../ui/section.tsx'
import { deskHref } from '../routes.ts'
import { type Close, RetryClose, type Waiting } from './verbs.tsx'

const gaps: Readonly<Record<string, () => string>> = {
  company_name: m.desk_lacks_company,
  address1: m.desk_lacks_address,
  city: m.desk_lacks_city,
  zip_code: m.desk_lacks_zip,
  country_id: m.desk_lacks_country,
  county_id: m.desk_lacks_county,
  sector: m.desk_lacks_sector,
}

const causes: Readonly<Record<string, () => string>> = {
  documents_need_operator: m.desk_lacks_operator,
  documents_need_series: m.desk_lacks_series,
  documents_need_vat_rate: m.desk_lacks_vat_rate,
  documents_need_exchange_rate: m.desk_lacks_rate,
}

/** The details that a bill lacks, and the error of the last attempt. */
function problemsOf({ lacks, reasons }: Waiting): string[] {
  const known = [
    ...lacks.flatMap((gap) => gaps[gap]?.() ?? []),
    ...reasons.flatMap((code) => causes[code]?.() ?? []),
  ]
  return known.length === 0 && reasons.length > 0 ? [m.desk_lacks_unknown()] : known
}

function Client({ close, client }: { close: Close; client: Waiting }) {
  const problems = problemsOf(client)
  return (
    <SectionRow
      icon={problems.length > 0 ? <IconAlert size={16} /> : <IconReceipt size={16} />}
      title={<Link to={deskHref('client', { id: client.client_id })}>{client.client_name}</Link>}
      text={
        <>
          {money(client.net, client.currency)}
          {problems.length > 0 && ` · ${problems.join(' · ')}`}
          {client.failed_at !== null && (
            <>
              {' · '}
              {m.desk_close_failed()} <When moment={client.failed_at} />
            </>
          )}
        </>
      }
    >
      <RetryClose close={close} client={client} />
    </SectionRow>
  )
}

/** The clients who wait for a bill of the month, and the details that it lacks. */
export function WaitingClients({ close }: { close: Close }) {
  const query = useQuery({
    ...action('month-closes', 'preview', { id: close.id, payload: {} }),
    placeholderData: keepPreviousData,
  })
  return (
    <Section id="waiting" title={m.desk_close_waiting()} lead={m.desk_close_waiting_lead()}>
      <Loaded query={query} rows={3}>
        {({ sums, clients }) => (
          <>
            <SectionList label={m.desk_close_sums()}>
              {sums.map(({ currency, clients: count, net }) => (
                <SectionRow
                  key={currency}
                  icon={<IconReceipt size={16} />}
                  title={money(net, currency)}
                  text={m.desk_close_clients({ count })}
                />
              ))}
            </SectionList>
            <SectionList label={m.desk_close_waiting()}>
              {clients.map((client) => (
                <Client key={client.client_id} close={close} client={client} />
              ))}
            </SectionList>
          </>
        )}
      </Loaded>
    </Section>
  )
}
