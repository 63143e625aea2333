import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Row } from '../../api/rows.ts'
import { useActionOnce } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import { Preview } from '../second/preview.tsx'
import { useSecond } from '../second/use-second.ts'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'

type Payment = Row<'transactions'>

function WriteOffDebt({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const { id, debt, currency } = payment
  const action = useActionOnce('transactions', 'writeOffDebt')
  const second = useSecond({ verb: 'writeOffDebt', about: id, input: () => ({}), onClose })
  const done = () => {
    onClose()
    toast(m.desk_debt_done())
  }
  return (
    <VerbDialog
      danger
      second={second}
      title={m.desk_debt_title({ amount: money(debt, currency) })}
      text={m.desk_debt_text()}
      verb={m.desk_debt_verb()}
      action={action}
      onConfirm={(reason) =>
        action.mutate({ id, payload: {}, headers: because(reason) }, { onSuccess: done })
      }
      onClose={onClose}
    >
      <Preview verb="writeOffDebt" about={id} input={() => ({})} />
    </VerbDialog>
  )
}

/** Forgives what a client owes for a payment that went back twice, where the reader may. */
export function DebtVerb({ payment }: { payment: Payment }) {
  const [isOpen, setOpen] = useState(false)
  const { debt, may } = payment
  return (
    <>
      {may.writeOffDebt && debt > 0 && (
        <Button size="xs" variant="default" onClick={() => setOpen(true)}>
          {m.desk_debt()}
        </Button>
      )}
      {isOpen && <WriteOffDebt payment={payment} onClose={() => setOpen(false)} />}
    </>
  )
}

/** What is still owed of a payment that went back twice. */
export const Debt = ({ of: { debt, currency } }: { of: Payment }) =>
  debt > 0 && <div>{m.desk_debt_open({ amount: money(debt, currency) })}</div>
