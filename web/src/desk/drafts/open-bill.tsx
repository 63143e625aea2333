import { useQuery } from '@tanstack/react-query'
import { action as reading } from '../../api/query.ts'
import { inWords } from '../../api/refusal-words.ts'
import { useActionOnce } from '../../api/write.ts'
import { language } from '../../stores/language.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { money } from '../../ui/format.ts'
import { type Client, clientName } from '../client/words.tsx'
import { useSecond } from '../second/use-second.ts'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import classes from './invoice-dialog.module.css'

type Of = { client: Client; onClose: () => void }

/** What the bill would be now and what is left of the limit, or why there is none. */
function Preview({ id }: { id: number }) {
  const { data, error } = useQuery(reading('desk-clients', 'previewOpenBill', { id, payload: {} }))
  if (error) return <p className={classes.preview}>{inWords(error)}</p>
  if (!data) return null
  const said = (amount: number) => money(amount, data.currency)
  return (
    <div className={classes.preview}>
      <p>
        {m.desk_open_bill_preview({
          from: dayInWords(data.from_day, language()),
          to: dayInWords(data.to_day, language()),
          use: said(data.use),
          credit: said(data.from_credit),
          advances: said(data.from_advances),
          total: said(data.total),
          vat: said(data.vat),
        })}
      </p>
      <p>{m.desk_open_bill_left({ left: money(data.limit_left, data.limit_currency) })}</p>
    </div>
  )
}

/** Bills the month of a client before it ends. */
export function OpenBillDialog({ client, onClose }: Of) {
  const action = useActionOnce('desk-clients', 'chargeOpenBill')
  const second = useSecond({ verb: 'chargeOpenBill', about: client.id, input: () => ({}), onClose })
  const onSuccess = () => {
    onClose()
    toast(m.desk_open_bill_done())
  }
  return (
    <VerbDialog
      title={m.desk_open_bill_title({ name: clientName(client) })}
      text={m.desk_open_bill_text()}
      verb={m.desk_open_bill_verb()}
      action={action}
      onConfirm={(reason) =>
        action.mutate({ id: client.id, payload: {}, headers: because(reason) }, { onSuccess })
      }
      second={second}
      onClose={onClose}
    >
      <Preview id={client.id} />
    </VerbDialog>
  )
}
