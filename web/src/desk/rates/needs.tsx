import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { action } from '../../api/query.ts'
import { inWords } from '../../api/refusal-words.ts'
import { useAction } from '../../api/write.ts'
import { When } from '../../components/when.tsx'
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
  readonly used: boolean
  readonly price_lists: readonly string[]
}

type Fetch = { readonly problem: string | null; readonly again_at: string } | null

const pollMs = 3000

function inSentence({ base, quote, newest, rate, counts }: Need): string {
  if (newest === null || rate === null) return m.desk_rates_none_yet({ currency: base })
  const facts = { base, quote, rate, day: dayInWords(newest, language()) }
  return counts ? m.desk_rates_newest(facts) : m.desk_rates_old(facts)
}

const unusedOf = ({ base, counts, used }: Need): string[] =>
  counts || used ? [] : [m.desk_rates_unused_text({ currency: base })]

const becauseOf = ({ price_lists }: Need): string =>
  m.desk_rates_because({ count: price_lists.length, names: price_lists.join(', ') })

/** Whether a need is met; one that nobody has yet stops nothing. */
function State({ counts, used }: Need) {
  if (counts) return <Status tone="good">{m.desk_rates_counts()}</Status>
  return used ? (
    <Status tone="bad">{m.desk_rates_missing()}</Status>
  ) : (
    <Status tone="idle">{m.desk_rates_unused()}</Status>
  )
}

/** What became of the fetch that the person asked for, or why the last one by itself failed. */
function Fetched({ fetch, isAsked }: { fetch: Fetch; isAsked: boolean }) {
  if (fetch?.problem)
    return (
      <>
        {m.desk_rates_fetch_failed({ problem: fetch.problem })} <When moment={fetch.again_at} />
      </>
    )
  if (!isAsked) return null
  return fetch ? m.desk_rates_fetching() : m.desk_rates_fetched()
}

/** The currencies that need a rate, and a fetch of what was published. */
export function NeededRates({ writes }: { writes: boolean }) {
  const [isAsked, setAsked] = useState(false)
  const { data } = useQuery({
    ...action('fx-rates', 'needs', { payload: {} }),
    // The rates arrive by a job.
    refetchInterval: ({ state }) => {
      const fetch = state.data?.fetch
      return isAsked && fetch && fetch.problem === null ? pollMs : false
    },
  })
  const fetching = useAction('fx-rates', 'fetchRates')
  const onSuccess = () => setAsked(true)
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
            <SectionRow
              key={need.base}
              title={need.base}
              text={[inSentence(need), becauseOf(need), ...unusedOf(need)].join(' ')}
            >
              <State {...need} />
            </SectionRow>
          ))}
        </SectionList>
      )}
      {writes && data.needs.length > 0 && (
        <SectionFoot
          note={
            <p role="status">
              <Fetched fetch={data.fetch} isAsked={isAsked} />
            </p>
          }
        >
          <Button variant="default" loading={fetching.isPending} onClick={fetchNow}>
            {m.desk_rates_fetch()}
          </Button>
        </SectionFoot>
      )}
    </Section>
  )
}
