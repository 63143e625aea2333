import { Button } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../../api/write.ts'
import { DateField } from '../../components/dates/date-field.tsx'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { type Client, clientName } from '../client/words.tsx'
import { useSecond } from '../second/use-second.ts'
import { because, VerbDialog } from './verb-dialog.tsx'

type Verb = {
  readonly label: () => string
  readonly title: (of: { name: string }) => string
  readonly text: () => string
  readonly verb: () => string
  readonly done: () => string
  readonly fits: (client: Client) => boolean
  readonly danger?: true
  /** The client reads the reason. */
  readonly isRead?: true
}

/** The verbs of a client that ask for little but a reason. */
export const clientVerbs = {
  holdDunning: {
    label: m.desk_hold,
    title: m.desk_hold_title,
    text: m.desk_hold_text,
    verb: m.desk_hold_verb,
    done: m.desk_hold_done,
    fits: ({ dunning_hold_until: until }) => until === null,
  },
  remind: {
    label: m.desk_remind,
    title: m.desk_remind_title,
    text: m.desk_remind_text,
    verb: m.desk_remind_verb,
    done: m.desk_remind_done,
    fits: ({ available }) => available < 0,
  },
  endHold: {
    label: m.desk_hold_end,
    title: m.desk_hold_end_title,
    text: m.desk_hold_end_text,
    verb: m.desk_hold_end_verb,
    done: m.desk_hold_end_done,
    fits: ({ dunning_hold_until: until }) => until !== null,
  },
  endSessions: {
    label: m.desk_end_sessions,
    title: m.desk_end_sessions_title,
    text: m.desk_end_sessions_text,
    verb: m.desk_end_sessions_verb,
    done: m.desk_end_sessions_done,
    fits: ({ status }) => status !== 0 && status !== 4,
    isRead: true,
  },
  block: {
    label: m.desk_block,
    title: m.desk_block_title,
    text: m.desk_block_text,
    verb: m.desk_block_verb,
    done: m.desk_block_done,
    fits: ({ status }) => status === 1 || status === 2,
    danger: true,
    isRead: true,
  },
  unblock: {
    label: m.desk_unblock,
    title: m.desk_unblock_title,
    text: m.desk_unblock_text,
    verb: m.desk_unblock_verb,
    done: m.desk_unblock_done,
    fits: ({ status }) => status === 0,
  },
  resendConfirmation: {
    label: m.desk_confirmation,
    title: m.desk_confirmation_title,
    text: m.desk_confirmation_text,
    verb: m.desk_confirmation_verb,
    done: m.desk_confirmation_done,
    fits: ({ email_verified_at, status }) => email_verified_at === null && status !== 0 && status !== 4,
  },
  confirmEmail: {
    label: m.desk_confirm_email,
    title: m.desk_confirm_email_title,
    text: m.desk_confirm_email_text,
    verb: m.desk_confirm_email_verb,
    done: m.desk_confirm_email_done,
    fits: ({ email_verified_at, status }) => email_verified_at === null && status !== 0 && status !== 4,
    isRead: true,
  },
  resumeClient: {
    label: m.desk_resume_all,
    title: m.desk_resume_all_title,
    text: m.desk_resume_all_text,
    verb: m.desk_resume_all_verb,
    done: m.desk_resume_all_done,
    fits: ({ stopped_at, status }) => stopped_at !== null && status !== 0,
  },
  exportData: {
    label: m.desk_export_data,
    title: m.desk_export_data_title,
    text: m.desk_export_data_text,
    verb: m.desk_export_data_verb,
    done: m.desk_export_data_done,
    fits: ({ status }) => status !== 0 && status !== 4,
  },
  closeAccount: {
    label: m.desk_close,
    title: m.desk_close_title,
    text: m.desk_close_text,
    verb: m.desk_close_verb,
    done: m.desk_close_done,
    fits: ({ status }) => status !== 4,
    danger: true,
    isRead: true,
  },
} as const satisfies Record<string, Verb>

type Name = keyof typeof clientVerbs

/** The verbs of a day's work, which stand beside each other; the others are in a menu. */
const daily = ['confirmEmail', 'remind', 'holdDunning', 'endHold'] as const

type Of<N> = { client: Named; name: N; onClose: () => void }

/** The client of a dialog. */
type Named = { readonly id: number; readonly name: string }

/** The words of a verb's dialog, and its end. */
function dialogOf({ client, name, onClose }: Of<Name>) {
  const { title, text, verb, done, ...kind }: Verb = clientVerbs[name]
  const { danger = false, isRead = false } = kind
  return {
    dialog: {
      title: title({ name: client.name }),
      text: text(),
      verb: verb(),
      danger,
      isRead,
      onClose,
    },
    onSuccess: () => {
      onClose()
      toast(done())
    },
  }
}

type Counted = 'block' | 'closeAccount'
const isCounted = (name: Name): name is Counted => name === 'block' || name === 'closeAccount'

/** A verb that counts as a stop: further ones in an hour are asked for. */
function CountedVerb({ client, name, onClose }: Of<Counted>) {
  const action = useAction('desk-clients', name)
  const second = useSecond({ verb: name, about: client.id, input: () => ({}), onClose })
  const { dialog, onSuccess } = dialogOf({ client, name, onClose })
  const confirm = (reason: string) =>
    action.mutate({ id: client.id, payload: {}, headers: because(reason) }, { onSuccess })
  return <VerbDialog {...dialog} action={action} onConfirm={confirm} second={second} />
}

function Plain({ client, name, onClose }: Of<Exclude<Name, 'holdDunning' | Counted>>) {
  const action = useAction('desk-clients', name)
  const { dialog, onSuccess } = dialogOf({ client, name, onClose })
  const confirm = (reason: string) =>
    action.mutate({ id: client.id, payload: {}, headers: because(reason) }, { onSuccess })
  return <VerbDialog {...dialog} action={action} onConfirm={confirm} />
}

function Hold({ client, name, onClose }: Of<'holdDunning'>) {
  const action = useAction('desk-clients', name)
  const [until, setUntil] = useState('')
  const { dialog, onSuccess } = dialogOf({ client, name, onClose })
  const confirm = (reason: string) =>
    action.mutate({ id: client.id, payload: { until }, headers: because(reason) }, { onSuccess })
  return (
    <VerbDialog {...dialog} action={action} onConfirm={confirm}>
      <DateField label={m.desk_hold_until()} required value={until} onChange={setUntil} />
    </VerbDialog>
  )
}

/** The dialog of a verb. */
export function ClientVerbDialog({ client, name, onClose }: Of<Name>) {
  if (name === 'holdDunning') return <Hold client={client} name={name} onClose={onClose} />
  return isCounted(name) ? (
    <CountedVerb client={client} name={name} onClose={onClose} />
  ) : (
    <Plain client={client} name={name} onClose={onClose} />
  )
}

/** What the reader may do with the account of a client on most days. */
export function ClientVerbs({ client }: { client: Client }) {
  const [open, setOpen] = useState<(typeof daily)[number]>()
  return (
    <>
      {daily
        .filter((name) => client.may[name] && clientVerbs[name].fits(client))
        .map((name) => (
          <Button key={name} variant="default" onClick={() => setOpen(name)}>
            {clientVerbs[name].label()}
          </Button>
        ))}
      {open && (
        <ClientVerbDialog
          client={{ id: client.id, name: clientName(client) }}
          name={open}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}
