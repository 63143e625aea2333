import { Checkbox, NativeSelect } from '@mantine/core'
import { followChoices, newsWays } from '@portico/contract/rules/tickets/staff-news.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { one } from '../../api/query.ts'
import { inWords } from '../../api/refusal-words.ts'
import type { Row } from '../../api/rows.ts'
import { useUpdate } from '../../api/write.ts'
import { Refusal } from '../../components/form-foot/form-foot.tsx'
import { departmentName, departmentsQuery } from '../../components/tickets/words.tsx'
import { m } from '../../texts/compiled/messages.js'
import '../../ui/styles/checkbox.ts'
import '../../ui/styles/combobox.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Section, SectionBody } from '../../ui/section.tsx'
import { useArrivalAtSection } from './section-nav.tsx'

type Preferences = Row<'staff-preferences'>
type Way = (typeof newsWays)[number]
type Change = Partial<Pick<Preferences, 'followed' | 'ticket_news_by' | 'alert_news_by'>>

const choices = { all: m.staff_notices_all, mine: m.staff_notices_mine, none: m.staff_notices_none }
const ways: Readonly<Record<Way, () => string>> = {
  letter: m.staff_notices_letter,
  portal: m.staff_notices_portal,
}

type WaysProps = { name: string; text?: string; chosen: readonly Way[]; onChange: (chosen: Way[]) => void }

/** The channels of a notification. */
function Ways({ name, text, chosen, onChange }: WaysProps) {
  return (
    <Checkbox.Group label={name} description={text} value={[...chosen]}>
      {newsWays.map((way) => (
        <Checkbox
          key={way}
          mt={8}
          value={way}
          label={ways[way]()}
          onChange={({ currentTarget: { checked } }) =>
            onChange(newsWays.filter((other) => (other === way ? checked : chosen.includes(other))))
          }
        />
      ))}
    </Checkbox.Group>
  )
}

/** The tickets of each department that cause notifications. */
function Departments({ followed, role, onChange }: Followed) {
  const { data } = useQuery(departmentsQuery)
  const answered = data?.items.filter(({ requires_billing }) => role !== 'billing' || requires_billing) ?? []
  return answered.map((department) => (
    <NativeSelect
      key={department.code}
      label={departmentName(department)}
      value={followed[department.code] ?? 'all'}
      data={followChoices.map((value) => ({ value, label: choices[value]() }))}
      onChange={({ currentTarget: { value } }) => {
        const found = followChoices.find((choice) => choice === value)
        if (found) onChange({ ...followed, [department.code]: found })
      }}
    />
  ))
}

type Followed = {
  followed: Preferences['followed']
  role: string
  onChange: (followed: Preferences['followed']) => void
}

function Choices({ preferences, role }: { preferences: Preferences; role: string }) {
  const update = useUpdate('staff-preferences')
  // Shows each choice at once; a refusal shows the stored ones again.
  const [chosen, setChosen] = useState<Change>({})
  const { followed, ticket_news_by, alert_news_by } = { ...preferences, ...chosen }
  const choose = (attributes: Change) => {
    setChosen((others) => ({ ...others, ...attributes }))
    update.mutateAsync({ id: preferences.id, attributes }).catch(() => setChosen({}))
  }
  return (
    <>
      <Departments followed={followed} role={role} onChange={(given) => choose({ followed: given })} />
      <Ways
        name={m.staff_notices_tickets()}
        chosen={ticket_news_by}
        onChange={(given) => choose({ ticket_news_by: given })}
      />
      {role !== 'support' && (
        <Ways
          name={m.staff_notices_alerts()}
          text={m.staff_notices_alerts_text()}
          chosen={alert_news_by}
          onChange={(given) => choose({ alert_news_by: given })}
        />
      )}
      <Refusal>{update.error ? inWords(update.error) : undefined}</Refusal>
    </>
  )
}

/** A staff member's notifications about tickets and alerts. Read-only roles get neither. */
export function StaffNotices({ id, role }: { id: number; role: string }) {
  useArrivalAtSection(true)
  const query = useQuery(one('staff-preferences', id))
  return (
    <Section id="staff-notices" title={m.staff_notices()} lead={m.staff_notices_lead()}>
      <Loaded query={query} rows={6}>
        {(preferences) => (
          <SectionBody>
            <Choices preferences={preferences} role={role} />
          </SectionBody>
        )}
      </Loaded>
    </Section>
  )
}
