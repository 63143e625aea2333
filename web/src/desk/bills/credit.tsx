import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { action as reading } from '../../api/query.ts'
import { inWords } from '../../api/refusal-words.ts'
import { useActionOnce } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { useSecond } from '../second/use-second.ts'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import { type Content, CreditContent, contentInput, wholeBill } from './credit-content.tsx'
import { CreditFollows } from './credit-follows.tsx'
import { type Sent, WayFields } from './way-fields.tsx'
import type { OfBill } from './words.ts'

/** What a credit note would hold: of the chosen content, and of all that is left. */
function usePreviews({ id, currency }: OfBill['bill'], content: Content) {
  const payload = contentInput(content, currency)
  const left = useQuery(reading('invoices', 'previewCredit', { id, payload: {} }))
  const { data, error } = useQuery({
    ...reading('invoices', 'previewCredit', { id, payload: payload ?? {} }),
    enabled: payload !== undefined,
    placeholderData: keepPreviousData,
  })
  return { left: left.data, preview: payload && data, error: payload ? error : left.error }
}

/** Credits a bill: whole, some of its lines, or an amount. */
export function Credit({ bill, onClose }: OfBill) {
  const { id, full_number: number, currency } = bill
  const action = useActionOnce('invoices', 'creditNote')
  const [content, setContent] = useState<Content>(wholeBill)
  const [sent, setSent] = useState<Sent>({ to: 'balance', iban: '' })
  const { left, preview, error } = usePreviews(bill, content)
  const ways = preview?.ways ?? ['balance']
  const to = ways.find((way) => way === sent.to) ?? 'balance'
  const input = (reason: string) => {
    const credited = contentInput(content, currency)
    return credited && { reason, to, ...credited, ...(to === 'bank' && { iban: sent.iban }) }
  }
  const second = useSecond({ verb: 'creditNote', about: id, input, onClose })
  const confirm = (reason: string) => {
    const payload = input(reason)
    if (payload === undefined) return
    action.mutate(
      { id, payload, headers: because(reason) },
      {
        onSuccess: ({ full_number }) => {
          onClose()
          toast(m.desk_credit_done({ number: full_number }))
        },
      },
    )
  }
  return (
    <VerbDialog
      isPrinted
      second={second}
      title={m.desk_credit_title({ number })}
      text={m.desk_credit_text()}
      verb={m.desk_credit_verb()}
      action={action}
      disabled={contentInput(content, currency) === undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      <CreditContent bill={bill} content={content} left={left} onChange={setContent} />
      {preview && preview.from_paid > 0 && (
        <WayFields label={m.desk_credit_to()} ways={ways} to={to} iban={sent.iban} onChange={setSent} />
      )}
      {preview && !error && <CreditFollows bill={bill} preview={preview} to={to} />}
      {error && <p>{inWords(error)}</p>}
    </VerbDialog>
  )
}
