import { Link } from '@tanstack/react-router'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import { IconAlert, IconReceipt } from '../../ui/icons.tsx'
import { Section, SectionBody, SectionList, SectionRow } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { deskHref } from '../routes.ts'
import { aboutOf, acts, type Change, fieldsOf, type Preview, termsOf } from './words.ts'

const amounts = (was: string, becomes: string, currency: string) =>
  `${money(Number(was), currency)} → ${money(Number(becomes), currency)}`

function Changed({ change }: { change: Change }) {
  const { tone, name } = acts[change.act]
  return (
    <SectionRow title={aboutOf(change)} text={[...termsOf(change), ...fieldsOf(change)].join(' · ')}>
      <Status tone={tone}>{name()}</Status>
    </SectionRow>
  )
}

function Faults({ faults }: Pick<Preview, 'faults'>) {
  return (
    <Section id="faults" title={m.desk_plans_faults()} lead={m.desk_plans_faults_text()}>
      <SectionList label={m.desk_plans_faults()}>
        {faults.map(({ detail }) => (
          <SectionRow key={detail} icon={<IconAlert size={16} />} title={detail} />
        ))}
      </SectionList>
    </Section>
  )
}

function Effect({ sums, clients }: Pick<Preview, 'sums' | 'clients'>) {
  return (
    <Section id="effect" title={m.desk_plans_effect()} lead={m.desk_plans_effect_text()}>
      {sums.length === 0 && <SectionBody>{m.desk_plans_effect_none()}</SectionBody>}
      <SectionList label={m.desk_plans_effect()}>
        {sums.map(({ currency, was, becomes, more, less }) => (
          <SectionRow
            key={currency}
            icon={<IconReceipt size={16} />}
            title={amounts(was, becomes, currency)}
            text={m.desk_plans_effect_counts({ more, less })}
          />
        ))}
        {clients.map(({ client_id, client_name, currency, was, becomes }) => (
          <SectionRow
            key={client_id}
            title={<Link to={deskHref('client', { id: client_id })}>{client_name}</Link>}
            text={amounts(was, becomes, currency)}
          />
        ))}
      </SectionList>
    </Section>
  )
}

/** The changes and faults of a file, and its effect on past charges of accounts. */
export function PlansPreview({ preview: { faults, changes, total, sums, clients } }: { preview: Preview }) {
  const title = m.desk_plans_changes()
  return (
    <>
      {faults.length > 0 && <Faults faults={faults} />}
      {faults.length === 0 && total > 0 && <Effect sums={sums} clients={clients} />}
      <Section id="changes" title={title} lead={m.desk_plans_changes_count({ count: total })}>
        <SectionList label={title}>
          {changes.map((change) => (
            <Changed key={JSON.stringify(change)} change={change} />
          ))}
        </SectionList>
        {total > changes.length && (
          <SectionBody>{m.desk_plans_changes_most({ count: changes.length })}</SectionBody>
        )}
      </Section>
    </>
  )
}
