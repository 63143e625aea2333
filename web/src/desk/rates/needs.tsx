import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { action } from '../../api/query.ts'
import { inWords } from '../../api/refusal-words.ts'
import { useAction } from '../../api/write.ts'
import { language } from '../../stores/language.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { Section, SectionBody, SectionFoot, SectionList, SectionRow } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { because } from '../verbs/verb-dialog.tsx'

type Need = {
  readonly base: string
  readonly quote: string
  readonly newest: string | null
  readonly rate: string | null
  readonly counts: boolean
}

const pollMs = 3000

function inSentence({ base, quote, newest, rate, counts }: Need): string {
  if (newest === null || rate === null) return m.desk_rates_none_yet({ currency: base })
  const facts = { base, quote, rate, day: dayInWords(newest, language()) }
  return counts ? m.desk_rates_newest(facts) : m.desk_rates_old(facts)
}

/** The currencies that need a rate, and a fetch of what was published. */
export function NeededRates({ writes }: { writes: boolean }) {
  const [isAsked, setAsked] = useState(false)
  const client = useQueryClient()
  const { data } = useQuery({
    ...action('fx-rates', 'needs', { payload: {} }),
    // The rates arrive by a job.
    refetchInterval: ({ state }) => {
      if (!isAsked || state.data?.needs.every(({ counts }) => counts)) return false
      return pollMs
    },
  })
  const fetching = useAction('fx-rates', 'fetchRates')
  const onSuccess = () => {
    setAsked(true)
    toast(m.desk_rates_fetching())
    setTimeout(() => void client.invalidateQueries({ queryKey: ['fx-rates'] }), pollMs)
  }
  const onError = (error: Error) => toast(inWords(error), undefined, 'bad')
  const fetchNow = () =>
    fetching.mutate({ payload: {}, headers: because(m.desk_rates_fetch_reason()) }, { onSuccess, onError })
  if (data === undefined) return null
  return (
    <Section id="needs" title={m.desk_rates_needs()}>
      {data.needs.length === 0 ? (
        <SectionBody>
          <p>{m.desk_rates_needs_none()}</p>
        </SectionBody>
      ) : (
        <SectionList label={m.desk_rates_needs()}>
          {data.needs.map((need) => (
            <SectionRow key={need.base} title={need.base} text={inSentence(need)}>
              <Status tone={need.counts ? 'good' : 'bad'}>
                {need.counts ? m.desk_rates_counts() : m.desk_rates_missing()}
              </Status>
            </SectionRow>
          ))}
        </SectionList>
      )}
      {writes && data.needs.length > 0 && (
        <SectionFoot>
          <Button variant="default" loading={fetching.isPending} onClick={fetchNow}>
            {m.desk_rates_fetch()}
          </Button>
        </SectionFoot>
      )}
    </Section>
  )
}
