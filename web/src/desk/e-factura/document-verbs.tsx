import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../../api/write.ts'
import { DocumentButton } from '../../components/pay/document-button.tsx'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { Remake } from '../bills/remake.tsx'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import type { EInvoice } from './document-words.tsx'
import classes from './e-factura.module.css'

type Of = { row: EInvoice; onClose: () => void }

/** Settles an unknown outcome by the index that the office lists. */
function WasReceived({ row, onClose }: Of) {
  const action = useAction('e-invoices', 'wasReceived')
  const [index, setIndex] = useState('')
  const done = () => {
    onClose()
    toast(m.desk_efactura_decided())
  }
  return (
    <VerbDialog
      title={m.desk_efactura_received_title({ number: row.full_number })}
      text={m.desk_efactura_received_text()}
      verb={m.desk_efactura_received_verb()}
      action={action}
      onConfirm={(reason) =>
        action.mutate(
          { id: row.id, payload: { upload_index: index }, headers: because(reason) },
          { onSuccess: done },
        )
      }
      onClose={onClose}
    >
      <TextInput
        label={m.desk_efactura_index_field()}
        inputMode="numeric"
        autoComplete="off"
        required
        pattern="\s*\d{1,30}\s*"
        value={index}
        onChange={({ currentTarget: { value } }) => setIndex(value)}
      />
    </VerbDialog>
  )
}

const others = {
  wasNotReceived: {
    label: m.desk_efactura_again,
    title: m.desk_efactura_again_title,
    text: m.desk_efactura_again_text,
    verb: m.desk_efactura_again_verb,
    done: m.desk_efactura_decided,
  },
  retryNow: {
    label: m.desk_efactura_retry,
    title: m.desk_efactura_retry_title,
    text: m.desk_efactura_retry_text,
    verb: m.desk_efactura_retry_verb,
    done: m.desk_efactura_retried,
  },
  correctInstead: {
    label: m.desk_efactura_correct,
    title: m.desk_efactura_correct_title,
    text: m.desk_efactura_correct_text,
    verb: m.desk_efactura_correct_verb,
    done: m.desk_efactura_decided,
  },
} as const

type Other = keyof typeof others

function Plain({ row, verb, onClose }: Of & { verb: Other }) {
  const action = useAction('e-invoices', verb)
  const words = others[verb]
  const done = () => {
    onClose()
    toast(words.done())
  }
  return (
    <VerbDialog
      title={words.title({ number: row.full_number })}
      text={
        verb === 'correctInstead' && row.kind === 'credit_note'
          ? m.desk_efactura_correct_note_text()
          : words.text()
      }
      verb={words.verb()}
      danger={verb !== 'retryNow'}
      action={action}
      onConfirm={(reason) =>
        action.mutate({ id: row.id, payload: {}, headers: because(reason) }, { onSuccess: done })
      }
      onClose={onClose}
    />
  )
}

type Verb = Other | 'wasReceived' | 'remakeEInvoice'

const isOther = (verb: Verb): verb is Other => Object.hasOwn(others, verb)

const labels: Record<Verb, () => string> = {
  wasReceived: m.desk_efactura_received,
  wasNotReceived: others.wasNotReceived.label,
  retryNow: others.retryNow.label,
  correctInstead: others.correctInstead.label,
  remakeEInvoice: m.desk_remake,
}

/** The verbs that fit a state. */
function fitting({ state, problem, is_decidable, is_remakable }: EInvoice): Verb[] {
  if (is_remakable) return ['remakeEInvoice']
  if (state === 'waiting') return problem === 'refused' ? ['retryNow', 'correctInstead'] : ['retryNow']
  return state === 'unknown' && is_decidable ? ['wasReceived', 'wasNotReceived'] : []
}

/** The actions that the reader may use on a document now. */
const verbsOf = (row: EInvoice): Verb[] => fitting(row).filter((verb) => row.may[verb])

/** The signed file of a document, and what is to decide about it. */
export function DocumentVerbs({ row }: { row: EInvoice }) {
  const [open, setOpen] = useState<Verb>()
  const close = () => setOpen(undefined)
  return (
    <Group gap={8} wrap="wrap" className={classes.verbs}>
      {row.state === 'accepted' && (
        <DocumentButton id={row.invoice_id} number={row.full_number} format="signed" />
      )}
      {verbsOf(row).map((verb) => (
        <Button key={verb} size="xs" variant="default" onClick={() => setOpen(verb)}>
          {labels[verb]()}
        </Button>
      ))}
      {open === 'wasReceived' && <WasReceived row={row} onClose={close} />}
      {open === 'remakeEInvoice' && <Remake id={row.invoice_id} number={row.full_number} onClose={close} />}
      {open !== undefined && isOther(open) && <Plain row={row} verb={open} onClose={close} />}
    </Group>
  )
}
