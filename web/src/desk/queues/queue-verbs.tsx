import { Button, Group } from '@mantine/core'
import { type FunctionComponent, useState } from 'react'
import type { Row } from '../../api/rows.ts'
import { useAction, useActionOnce } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'

export type QueueVerb = 'retry' | 'drop'
type Of = { id: number; onClose: () => void }

type Words = {
  readonly label: () => string
  readonly title: () => string
  readonly text: () => string
  readonly done: () => string
  readonly danger?: true
}

const letterWords = {
  retry: {
    label: m.desk_letter_retry,
    title: m.desk_letter_retry_title,
    text: m.desk_letter_retry_text,
    done: m.desk_letter_retried,
  },
  resend: {
    label: m.desk_letter_retry,
    title: m.desk_letter_resend_title,
    text: m.desk_letter_resend_text,
    done: m.desk_letter_resent,
  },
  drop: {
    label: m.desk_letter_drop,
    title: m.desk_letter_drop_title,
    text: m.desk_letter_drop_text,
    done: m.desk_letter_dropped_now,
    danger: true,
  },
} as const satisfies Record<string, Words>

const jobWords = {
  retry: {
    label: m.desk_job_retry,
    title: m.desk_job_retry_title,
    text: m.desk_job_retry_text,
    done: m.desk_job_retried,
  },
  drop: {
    label: m.desk_job_drop,
    title: m.desk_job_drop_title,
    text: m.desk_job_drop_text,
    done: m.desk_job_dropped,
    danger: true,
  },
} as const satisfies Record<QueueVerb, Words>

type Action = {
  readonly isPending: boolean
  readonly error: Error | null
  readonly mutate: (
    given: { id: number; payload: Record<string, never>; headers: Record<string, string> },
    then: { onSuccess: () => void },
  ) => void
}

/** Asks for the reason of a verb on a letter or a job. */
function VerbOf({ id, words, action, onClose }: Of & { words: Words; action: Action }) {
  const onSuccess = () => {
    onClose()
    toast(words.done())
  }
  return (
    <VerbDialog
      title={words.title()}
      text={words.text()}
      verb={words.label()}
      danger={words.danger ?? false}
      action={action}
      onConfirm={(reason) => action.mutate({ id, payload: {}, headers: because(reason) }, { onSuccess })}
      onClose={onClose}
    />
  )
}

function RetryLetter(of: Of) {
  return <VerbOf {...of} words={letterWords.retry} action={useAction('desk-letters', 'retry')} />
}

function ResendLetter(of: Of) {
  return <VerbOf {...of} words={letterWords.resend} action={useActionOnce('desk-letters', 'resend')} />
}

function DropLetter(of: Of) {
  return <VerbOf {...of} words={letterWords.drop} action={useAction('desk-letters', 'drop')} />
}

function RetryJob(of: Of) {
  return <VerbOf {...of} words={jobWords.retry} action={useAction('desk-jobs', 'retry')} />
}

function DropJob(of: Of) {
  return <VerbOf {...of} words={jobWords.drop} action={useAction('desk-jobs', 'drop')} />
}

const letterDialogs = { retry: RetryLetter, resend: ResendLetter, drop: DropLetter }
const jobDialogs = { retry: RetryJob, drop: DropJob }

type Offered = { readonly name: string; readonly words: Words; readonly Dialog: FunctionComponent<Of> }

function Verbs({ id, offered }: { id: number; offered: readonly Offered[] }) {
  const [open, setOpen] = useState<string>()
  const Dialog = offered.find(({ name }) => name === open)?.Dialog
  if (offered.length === 0 && !Dialog) return null
  return (
    <Group gap={6}>
      {offered.map(({ name, words }) => (
        <Button key={name} variant="default" size="xs" onClick={() => setOpen(name)}>
          {words.label()}
        </Button>
      ))}
      {Dialog && <Dialog id={id} onClose={() => setOpen(undefined)} />}
    </Group>
  )
}

/** What the reader may do with a letter in its state; one whose text is kept can be sent again. */
export function LetterVerbs({ letter, verbs }: { letter: Row<'desk-letters'>; verbs: readonly QueueVerb[] }) {
  const { id, repeatable, may } = letter
  const names = [...verbs, ...(repeatable ? (['resend'] as const) : [])].filter((name) => may[name])
  const offered = names.map((name) => ({ name, words: letterWords[name], Dialog: letterDialogs[name] }))
  return <Verbs id={id} offered={offered} />
}

/** What the reader may do with a job in its state. */
export function JobVerbs({ job, verbs }: { job: Row<'desk-jobs'>; verbs: readonly QueueVerb[] }) {
  const names = verbs.filter((name) => job.may[name])
  const offered = names.map((name) => ({ name, words: jobWords[name], Dialog: jobDialogs[name] }))
  return <Verbs id={job.id} offered={offered} />
}
