import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { action as reading } from '../../api/query.ts'
import { useAction } from '../../api/write.ts'
import { nameOf } from '../../components/money/currency-name.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { type Client, clientName } from '../client/words.tsx'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'

/** Why the currency of an account stays, as staff read it. */
const fixed = {
  transactions: m.desk_currency_fixed_transactions,
  use: m.desk_currency_fixed_use,
  payment: m.desk_currency_fixed_payment,
  automatic: m.desk_currency_fixed_automatic,
  prices: m.desk_currency_fixed_prices,
} as const

/** Changes the currency of an account in which nothing is kept yet. */
export function ChangeCurrency({ client, onClose }: { client: Client; onClose: () => void }) {
  const action = useAction('desk-clients', 'changeCurrency')
  const { data } = useQuery(reading('desk-clients', 'currencyChoice', { id: client.id, payload: {} }))
  const [chosen, setChosen] = useState(client.currency)
  const done = () => {
    onClose()
    toast(m.desk_currency_done())
  }
  const isFixed = data !== undefined && data.fixed_by !== null
  return (
    <VerbDialog
      title={m.desk_currency_title({ name: clientName(client) })}
      text={data?.fixed_by ? fixed[data.fixed_by]() : m.desk_currency_text()}
      verb={m.desk_currency_verb()}
      disabled={isFixed || chosen === client.currency}
      action={action}
      onConfirm={(reason) =>
        action.mutate(
          { id: client.id, payload: { currency: chosen }, headers: because(reason) },
          { onSuccess: done },
        )
      }
      onClose={onClose}
    >
      {!isFixed && (
        <NativeSelect
          label={m.currency_label()}
          value={chosen}
          data={[...new Set([...(data?.offered ?? []), client.currency])].map((code) => ({
            value: code,
            label: nameOf(code),
          }))}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        />
      )}
    </VerbDialog>
  )
}
