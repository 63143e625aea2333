import { Button } from '@mantine/core'
import { askedVerbs } from '@portico/contract/rules/asked-verbs.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { Loaded } from '../../components/loaded.tsx'
import { amountIn } from '../../components/money/amount.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import { Section, SectionList, SectionRow } from '../../ui/section.tsx'
import { useSecond } from '../second/use-second.ts'
import { AmountField } from '../verbs/amount-field.tsx'
import { VerbDialog } from '../verbs/verb-dialog.tsx'
import { roleNames } from './words.ts'

type Limit = Row<'desk-limits'>

function nameOf({ verb, role }: Limit): string {
  const [, words] = Object.entries(askedVerbs).find(([name]) => name === verb) ?? []
  return `${words?.[language() === 'ro' ? 'ro' : 'en'] ?? verb} · ${roleNames[role]()}`
}

function Change({ limit, onClose }: { limit: Limit; onClose: () => void }) {
  const [once, setOnce] = useState(String(limit.per_action))
  const [daily, setDaily] = useState(String(limit.per_day))
  const input = () => {
    const [per_action, per_day] = [once, daily].map((typed) => amountIn(typed, undefined, limit.currency))
    return per_action === undefined || per_day === undefined ? undefined : { per_action, per_day }
  }
  const second = useSecond({ verb: 'setLimits', about: limit.id, input, onClose })
  return (
    <VerbDialog
      title={m.desk_limit_title({ name: nameOf(limit) })}
      text={m.desk_second_always()}
      verb={m.desk_second_ask()}
      action={second}
      onConfirm={second.ask}
      onClose={onClose}
    >
      <AmountField
        required
        label={m.desk_limit_action()}
        currency={limit.currency}
        value={once}
        onChange={setOnce}
      />
      <AmountField
        required
        label={m.desk_limit_day()}
        currency={limit.currency}
        value={daily}
        onChange={setDaily}
      />
    </VerbDialog>
  )
}

/** The amounts that one person may move alone, by role and verb. */
export function Limits() {
  const query = useQuery(list<'desk-limits', never>('desk-limits', { page: { size: 50 } }))
  const [changing, setChanging] = useState<Limit>()
  return (
    <Section id="limits" title={m.desk_limits_title()} lead={m.desk_limits_lead()}>
      <Loaded query={query} rows={4}>
        {({ items }) => (
          <SectionList label={m.desk_limits_title()}>
            {items.map((limit) => (
              <SectionRow
                key={limit.id}
                title={nameOf(limit)}
                text={m.desk_limit_amounts({
                  once: money(limit.per_action, limit.currency),
                  daily: money(limit.per_day, limit.currency),
                })}
              >
                <Button
                  variant="default"
                  size="xs"
                  aria-label={m.desk_limit_change_of({ name: nameOf(limit) })}
                  onClick={() => setChanging(limit)}
                >
                  {m.desk_limit_change()}
                </Button>
              </SectionRow>
            ))}
          </SectionList>
        )}
      </Loaded>
      {changing && <Change limit={changing} onClose={() => setChanging(undefined)} />}
    </Section>
  )
}
