import { Button, NativeSelect, TextInput } from '@mantine/core'
import { deskFileLocation } from '@portico/contract/calls/file-locations.ts'
import { base } from '@portico/contract/wire.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { list } from '../../api/query.ts'
import { inWords } from '../../api/refusal-words.ts'
import type { Row } from '../../api/rows.ts'
import { DateField } from '../../components/dates/date-field.tsx'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords, utcToday } from '../../ui/days.ts'
import { useFocusBack } from '../../ui/modal/focus-back.ts'
import { Modal } from '../../ui/modal/modal.tsx'
import { Status, type Tone } from '../../ui/status.tsx'
import { isUnfinished, namedPeriod } from '../accounting/periods.ts'
import { saveAnswer } from '../accounting/save-answer.ts'
import { createBecause } from '../verbs/create-because.ts'
import classes from './archive.module.css'

type Archive = Row<'document-archives'>

const formats = ['pdf', 'xml'] as const
// The name of the format is the same in every language.
const formatNames = { pdf: () => 'PDF', xml: m.desk_archive_xml } as const

const titleOf = ({ format, from_day, to_day }: Archive): string =>
  `${formatNames[format]()}, ${dayInWords(from_day, language())} – ${dayInWords(to_day, language())}`

const states: Record<Archive['status'], { readonly tone: Tone; readonly name: (one: Archive) => string }> = {
  waiting: { tone: 'idle', name: () => m.desk_archive_waiting() },
  running: { tone: 'idle', name: ({ done, total }) => m.desk_archive_running({ done, total }) },
  ready: { tone: 'good', name: ({ total, lacking }) => m.desk_archive_ready({ count: total - lacking }) },
  failed: { tone: 'bad', name: () => m.desk_archive_failed() },
  removed: { tone: 'idle', name: () => m.desk_archive_removed() },
}

const pollMs = 2000

/** The reader's archives, newest first; it is read again while one is packed. */
const newest = {
  ...list('document-archives', { sort: '-createdAt', page: { size: 5 } }),
  refetchInterval: ({ state }: { state: { data?: { items: readonly Archive[] } | undefined } }) =>
    state.data?.items.some(({ status }) => status === 'waiting' || status === 'running') ? pollMs : false,
} as const

function Packed({ archive }: { archive: Archive }) {
  const { id, status, lacking } = archive
  const saving = useMutation<void, Error>({
    mutationFn: () =>
      saveAnswer(
        `${base}${deskFileLocation.documents.replace(':id', String(id))}`,
        'application/zip',
        'documents.zip',
      ),
  })
  const { tone, name } = states[status]
  return (
    <li>
      <div>
        <strong>{titleOf(archive)}</strong>
        <Status tone={tone}>{name(archive)}</Status>
        {lacking > 0 && <span>{m.desk_archive_lacking({ count: lacking })}</span>}
        <span role="alert">{saving.error && inWords(saving.error)}</span>
      </div>
      {status === 'ready' && (
        <Button variant="default" size="xs" loading={saving.isPending} onClick={() => saving.mutate()}>
          {m.download()}
        </Button>
      )}
    </li>
  )
}

function ArchiveForm() {
  const today = utcToday()
  const [chosen, setChosen] = useState(() => ({
    ...(namedPeriod('month', today) ?? { from: today, to: today }),
    format: 'pdf' as Archive['format'],
  }))
  const [reason, setReason] = useState('')
  const client = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      createBecause(
        'document-archives',
        { from_day: chosen.from, to_day: chosen.to, format: chosen.format },
        reason.trim(),
      ),
    onSuccess: () => client.invalidateQueries(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      <DateField
        label={m.desk_log_from()}
        value={chosen.from}
        onChange={(from) => setChosen({ ...chosen, from })}
      />
      <DateField label={m.desk_log_to()} value={chosen.to} onChange={(to) => setChosen({ ...chosen, to })} />
      <p role="status" className={classes.wide}>
        {isUnfinished(chosen, today) && m.desk_period_open()}
      </p>
      <NativeSelect
        label={m.desk_archive_format()}
        value={chosen.format}
        data={formats.map((value) => ({ value, label: formatNames[value]() }))}
        onChange={({ currentTarget: { selectedIndex } }) =>
          setChosen({ ...chosen, format: formats[selectedIndex] ?? 'pdf' })
        }
      />
      <TextInput
        className={classes.wide}
        label={m.desk_verb_reason()}
        required
        minLength={3}
        maxLength={300}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <div role="alert" className={classes.refusal}>
        {error && inWords(error)}
      </div>
      <Button type="submit" loading={isPending}>
        {m.desk_archive_pack()}
      </Button>
    </form>
  )
}

function ArchiveDialog({ onClose }: { onClose: () => void }) {
  useFocusBack()
  const { data } = useQuery(newest)
  return (
    <Modal
      opened
      size={560}
      onClose={onClose}
      title={m.desk_archive_title()}
      closeButtonProps={{ 'aria-label': m.close() }}
    >
      <p className={classes.text}>{m.desk_archive_text()}</p>
      <ArchiveForm />
      <ul className={classes.packed} aria-label={m.desk_archive_list()}>
        {(data?.items ?? []).map((archive) => (
          <Packed key={archive.id} archive={archive} />
        ))}
      </ul>
    </Modal>
  )
}

/** Packs the documents of all clients in a period into one file. */
export function ArchiveButton() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {m.desk_archive_title()}
      </Button>
      {isOpen && <ArchiveDialog onClose={() => setOpen(false)} />}
    </>
  )
}
