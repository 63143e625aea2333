import { Button, NativeSelect, TextInput } from '@mantine/core'
import { seriesKinds } from '@portico/contract/resources/operator-profiles.ts'
import { useState } from 'react'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { language } from '../../stores/language.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { Section, SectionBody, SectionList, SectionRow } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'

type Series = Row<'operator-profiles'>['series'][number]
type Kind = Series['kind']

const kindNames: Readonly<Record<Kind, () => string>> = {
  proforma: m.desk_series_proforma,
  fiscal: m.desk_series_fiscal,
  credit_note: m.desk_series_credit_note,
}

type Wish = { kind: Kind; prefix: string; legal_decision: string }

function Fields({ wish, change }: { wish: Wish; change: (part: Partial<Wish>) => void }) {
  return (
    <>
      <NativeSelect
        label={m.desk_series_kind()}
        value={wish.kind}
        data={seriesKinds.map((value) => ({ value, label: kindNames[value]() }))}
        onChange={({ currentTarget: { value } }) =>
          change({ kind: seriesKinds.find((kind) => kind === value) ?? wish.kind })
        }
      />
      <TextInput
        label={m.desk_series_prefix()}
        description={m.desk_series_prefix_hint()}
        required
        maxLength={10}
        pattern="\s*[A-Za-z][A-Za-z0-9]*\s*"
        value={wish.prefix}
        onChange={({ currentTarget }) => change({ prefix: currentTarget.value })}
      />
      {wish.kind !== 'proforma' && (
        <TextInput
          label={m.desk_series_decision()}
          description={m.desk_series_decision_hint()}
          maxLength={200}
          value={wish.legal_decision}
          onChange={({ currentTarget }) => change({ legal_decision: currentTarget.value })}
        />
      )}
    </>
  )
}

type NewProps = { missing: Kind | undefined; series: readonly Series[]; onClose: () => void }

function NewSeries({ missing, series, onClose }: NewProps) {
  const action = useAction('operator-profiles', 'addSeries')
  const [wish, setWish] = useState<Wish>({ kind: missing ?? 'fiscal', prefix: '', legal_decision: '' })
  const isFirst = !series.some(({ kind }) => kind === wish.kind)
  const done = ({ prefix }: { prefix: string }) => {
    onClose()
    toast(m.desk_series_done({ prefix }))
  }
  return (
    <VerbDialog
      title={m.desk_series_new()}
      text={isFirst ? m.desk_series_first_text() : m.desk_series_new_text()}
      verb={m.desk_series_new_verb()}
      isFirst={missing !== undefined && !series.some(({ kind }) => kind === missing)}
      action={action}
      onConfirm={(reason) => action.mutate({ payload: wish, headers: because(reason) }, { onSuccess: done })}
      onClose={onClose}
    >
      <Fields wish={wish} change={(part) => setWish((last) => ({ ...last, ...part }))} />
    </VerbDialog>
  )
}

function factsOf({ next_number, last_issue_date, legal_decision }: Series): string {
  return [
    `${m.desk_series_next()}: ${next_number}`,
    ...(last_issue_date === null
      ? []
      : [`${m.desk_series_last()}: ${dayInWords(last_issue_date, language())}`]),
    ...(legal_decision === null ? [] : [legal_decision]),
  ].join(' · ')
}

/** The series of numbers, with those in use first. */
export function SeriesOfNumbers({ series }: { series: readonly Series[] }) {
  const [isAdding, setAdding] = useState(false)
  const missing = seriesKinds.find((kind) => !series.some((one) => one.active && one.kind === kind))
  return (
    <Section
      id="series"
      title={m.desk_series_title()}
      lead={m.desk_series_lead()}
      aside={
        <Button variant="default" size="sm" onClick={() => setAdding(true)}>
          {m.desk_series_new()}
        </Button>
      }
    >
      {series.length === 0 ? (
        <SectionBody>
          <p>{m.desk_series_none()}</p>
        </SectionBody>
      ) : (
        <SectionList label={m.desk_series_title()}>
          {series.map((one) => (
            <SectionRow
              key={one.prefix}
              title={`${one.prefix} · ${kindNames[one.kind]()}`}
              text={factsOf(one)}
            >
              <Status tone={one.active ? 'good' : 'idle'}>
                {one.active ? m.desk_series_active() : m.desk_series_ended()}
              </Status>
            </SectionRow>
          ))}
        </SectionList>
      )}
      {isAdding && <NewSeries missing={missing} series={series} onClose={() => setAdding(false)} />}
    </Section>
  )
}
