import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useUser } from '../../api/queries/user.ts'
import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'

export type QueueVerb = 'retry' | 'drop'
type Of = { id: number; verb: QueueVerb; onClose: () => void }

const letterWords = {
  retry: {
    label: m.desk_letter_retry,
    title: m.desk_letter_retry_title,
    text: m.desk_letter_retry_text,
    done: m.desk_letter_retried,
  },
  drop: {
    label: m.desk_letter_drop,
    title: m.desk_letter_drop_title,
    text: m.desk_letter_drop_text,
    done: m.desk_letter_dropped_now,
  },
} as const

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
  },
} as const

type Words = (typeof letterWords | typeof jobWords)[QueueVerb]

/** The words of a dialog, and its end. */
function dialogOf({ title, text, label, done }: Words, { verb, onClose }: Of) {
  const onSuccess = () => {
    onClose()
    toast(done())
  }
  const dialog = { title: title(), text: text(), verb: label(), danger: verb === 'drop', onClose }
  return { dialog, onSuccess }
}

function LetterDialog(of: Of) {
  const action = useAction('desk-letters', of.verb)
  const { dialog, onSuccess } = dialogOf(letterWords[of.verb], of)
  const confirm = (reason: string) =>
    action.mutate({ id: of.id, payload: {}, headers: because(reason) }, { onSuccess })
  return <VerbDialog {...dialog} action={action} onConfirm={confirm} />
}

function JobDialog(of: Of) {
  const action = useAction('desk-jobs', of.verb)
  const { dialog, onSuccess } = dialogOf(jobWords[of.verb], of)
  const confirm = (reason: string) =>
    action.mutate({ id: of.id, payload: {}, headers: because(reason) }, { onSuccess })
  return <VerbDialog {...dialog} action={action} onConfirm={confirm} />
}

const kinds = {
  letter: { words: letterWords, Dialog: LetterDialog },
  job: { words: jobWords, Dialog: JobDialog },
}

type Props = { of: keyof typeof kinds; id: number; verbs: readonly QueueVerb[] }

/** The actions of administrators on a letter or a job in its state. */
export function QueueVerbs({ of, id, verbs }: Props) {
  const { staff } = useUser()
  const [open, setOpen] = useState<QueueVerb>()
  const { words, Dialog } = kinds[of]
  if (staff?.role !== 'admin') return null
  return (
    <Group gap={6}>
      {verbs.map((verb) => (
        <Button key={verb} variant="default" size="xs" onClick={() => setOpen(verb)}>
          {words[verb].label()}
        </Button>
      ))}
      {open && <Dialog id={id} verb={open} onClose={() => setOpen(undefined)} />}
    </Group>
  )
}
