import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { When } from '../../components/when.tsx'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import { TextArea } from '../../ui/text-area.tsx'
import cells from '../e-factura/e-factura.module.css'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'

type Dispute = Row<'desk-disputes'>

function AnswerDialog({ dispute, onClose }: { dispute: Dispute; onClose: () => void }) {
  const { id, amount, currency, client_name: name } = dispute
  const action = useAction('desk-disputes', 'answerDispute')
  const [text, setText] = useState(dispute.answer ?? '')
  const done = () => {
    onClose()
    toast(m.desk_dispute_sent())
  }
  return (
    <VerbDialog
      title={m.desk_dispute_answer_title({ name, amount: money(amount, currency) })}
      text={m.desk_dispute_answer_text()}
      verb={m.desk_dispute_answer_verb()}
      action={action}
      onConfirm={(reason) =>
        action.mutate({ id, payload: { text }, headers: because(reason) }, { onSuccess: done })
      }
      onClose={onClose}
    >
      <TextArea
        label={m.desk_dispute_evidence_label()}
        description={m.desk_dispute_evidence_hint()}
        required
        rows={8}
        maxLength={20_000}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    </VerbDialog>
  )
}

/** Until when a dispute is answered, where, and what was answered. */
export function Answer({ row }: { row: Dispute }) {
  const [isOpen, setOpen] = useState(false)
  const { status, answer_by, provider, provider_ref, answered_at, answered_by_name: by, may } = row
  const isWaiting = status === 'open' && answered_at === null
  return (
    <div className={cells.cell}>
      {isWaiting &&
        (answer_by === null ? <span>{m.desk_dispute_no_day()}</span> : <When moment={answer_by} />)}
      {answered_at !== null && (
        <span>
          {by === null ? m.desk_dispute_answered() : m.desk_dispute_answered_by({ by })}{' '}
          <When moment={answered_at} />
        </span>
      )}
      <span>{m.desk_dispute_at({ provider, ref: provider_ref })}</span>
      {isWaiting && may.answerDispute && (
        <Button size="xs" variant="default" onClick={() => setOpen(true)}>
          {m.desk_dispute_answer()}
        </Button>
      )}
      {isOpen && <AnswerDialog dispute={row} onClose={() => setOpen(false)} />}
    </div>
  )
}
