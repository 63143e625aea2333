import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { action as reading } from '../../api/query.ts'
import { inWords } from '../../api/refusal-words.ts'
import type { Row } from '../../api/rows.ts'
import { useActionOnce, useCreate, useUpdate } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { money, sum } from '../../ui/format.ts'
import { type Client, clientName } from '../client/words.tsx'
import { useSecond } from '../second/use-second.ts'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import classes from './invoice-dialog.module.css'
import { InvoiceLines, noLine, soldIn, type TypedLine, typedOf } from './invoice-lines.tsx'

export type Draft = Row<'invoice-drafts'>
type Props = { client: Client; draft?: Draft; onClose: () => void }

/** What a draft would be with the VAT of today, or what it lacks. */
function Preview({ draft: { id } }: { draft: Draft }) {
  const { data, error } = useQuery(reading('invoice-drafts', 'previewInvoice', { id, payload: {} }))
  if (error) return <p className={classes.preview}>{inWords(error)}</p>
  if (!data) return null
  const { net, vat, total, currency, vat_rate: rate } = data
  const [without, tax, all] = [net, vat, total].map((amount) => money(amount, currency))
  return (
    <p className={classes.preview}>
      {m.desk_draft_preview({ net: without ?? '', vat: tax ?? '', rate, total: all ?? '' })}
    </p>
  )
}

/** The sum of the lines before their VAT, which follows from the rules of the day. */
function Net({ lines, currency }: { lines: Draft['lines']; currency: string }) {
  const net = sum(lines.map(({ quantity, unit_price }) => quantity * unit_price))
  return <p className={classes.preview}>{m.desk_invoice_sum({ net: money(net, currency) })}</p>
}

/** The lines as they are typed and as the draft has them, and the writes of the draft. */
function useLines({ client, draft }: Props) {
  const [kept, setKept] = useState<readonly TypedLine[]>(() => draft?.lines.map(typedOf) ?? [noLine])
  const [typed, setTyped] = useState(kept)
  const begin = useCreate('invoice-drafts')
  const change = useUpdate('invoice-drafts')
  const lines = soldIn(typed, client.currency)
  const isKept = draft !== undefined && JSON.stringify(typed) === JSON.stringify(kept)
  const keep = (onSuccess: () => void) => {
    if (lines === undefined) return
    const done = {
      onSuccess: () => {
        setKept(typed)
        onSuccess()
      },
    }
    if (draft) change.mutate({ id: draft.id, attributes: { lines } }, done)
    else {
      const relationships = { client: { type: 'desk-clients', id: client.id } } as const
      begin.mutate({ attributes: { lines }, relationships }, done)
    }
  }
  const { isPending, error } = draft ? change : begin
  return { typed, setTyped, lines, isKept, keep, isPending, error }
}

/** Prepares an invoice with its lines: kept as a draft, or issued, which ends the draft that it was. */
export function InvoiceDialog({ client, draft, onClose }: Props) {
  const issuing = useActionOnce('desk-clients', 'manualInvoice')
  const { typed, setTyped, lines, isKept, keep, ...keeping } = useLines({
    client,
    onClose,
    ...(draft && { draft }),
  })
  const input = () => (lines === undefined ? undefined : { lines, ...(draft && { draft_id: draft.id }) })
  const second = useSecond({ verb: 'manualInvoice', about: client.id, input, onClose })
  const closeWith = (said: () => string) => () => {
    onClose()
    toast(said())
  }
  const issue = (reason: string) => {
    const payload = input()
    if (payload === undefined) return
    const given = { id: client.id, payload, headers: because(reason) }
    issuing.mutate(given, { onSuccess: closeWith(m.desk_invoice_done) })
  }
  // A draft is issued as it is kept, so that nobody issues what somebody else has changed meanwhile.
  const confirm = (reason: string) => (draft && !isKept ? keep(() => issue(reason)) : issue(reason))
  return (
    <VerbDialog
      title={m.desk_invoice_title({ name: clientName(client) })}
      text={m.desk_invoice_text()}
      verb={m.desk_invoice_verb()}
      action={{
        isPending: issuing.isPending || keeping.isPending,
        error: issuing.error ?? keeping.error,
      }}
      onConfirm={confirm}
      second={second}
      onClose={onClose}
    >
      <InvoiceLines lines={typed} currency={client.currency} onChange={setTyped} />
      {draft && isKept && <Preview draft={draft} />}
      {lines !== undefined && !isKept && <Net lines={lines} currency={client.currency} />}
      <div>
        <Button
          variant="default"
          size="xs"
          disabled={lines === undefined || isKept}
          loading={keeping.isPending}
          onClick={() => keep(closeWith(m.desk_draft_kept))}
        >
          {m.desk_draft_keep()}
        </Button>
      </div>
    </VerbDialog>
  )
}
