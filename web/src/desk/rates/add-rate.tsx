import { Button, Checkbox, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asFailure } from '../../api/failure.ts'
import { list, action as read } from '../../api/query.ts'
import { useAction } from '../../api/write.ts'
import { DateField } from '../../components/dates/date-field.tsx'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import '../../ui/styles/checkbox.ts'

type Wish = { base: string; published_on: string; rate: string; source: string; confirmed: boolean }

type FieldsProps = { wish: Wish; change: (part: Partial<Wish>) => void; isUnusual: boolean }

function Fields({ wish, change, isUnusual }: FieldsProps) {
  return (
    <>
      <TextInput
        label={m.desk_rates_currency()}
        required
        pattern="\s*[A-Za-z]{3}\s*"
        value={wish.base}
        onChange={({ currentTarget }) => change({ base: currentTarget.value.toUpperCase() })}
      />
      <DateField
        label={m.desk_rates_day()}
        required
        value={wish.published_on}
        onChange={(published_on) => change({ published_on })}
      />
      <TextInput
        label={m.desk_rates_rate()}
        description={m.desk_rates_rate_hint()}
        required
        inputMode="decimal"
        pattern="\s*\d{1,8}([.,]\d{1,6})?\s*"
        value={wish.rate}
        onChange={({ currentTarget }) => change({ rate: currentTarget.value, confirmed: false })}
      />
      <TextInput
        label={m.desk_rates_source()}
        description={m.desk_rates_source_hint()}
        required
        maxLength={200}
        value={wish.source}
        onChange={({ currentTarget }) => change({ source: currentTarget.value })}
      />
      {isUnusual && (
        <Checkbox
          label={m.desk_rates_confirmed()}
          checked={wish.confirmed}
          onChange={({ currentTarget }) => change({ confirmed: currentTarget.checked })}
        />
      )}
    </>
  )
}

type Opened = { base: string; isFirst: boolean; onClose: () => void }

function Dialog({ base: needed, isFirst, onClose }: Opened) {
  const action = useAction('fx-rates', 'addRate')
  const [wish, setWish] = useState<Omit<Wish, 'base'> & { base?: string }>({
    published_on: '',
    rate: '',
    source: '',
    confirmed: false,
  })
  // What is needed may arrive after the dialog opened.
  const base = wish.base ?? needed
  const isUnusual = action.error !== null && asFailure(action.error).code === 'exchange_rate_unconfirmed'
  const confirm = (reason: string) => {
    const { published_on, source, confirmed } = wish
    const rate = wish.rate.trim().replace(',', '.')
    const onSuccess = () => {
      onClose()
      toast(m.desk_rates_done({ currency: base }))
    }
    const payload = { base: base.trim(), published_on, rate, source, confirmed }
    action.mutate({ payload, headers: because(reason) }, { onSuccess })
  }
  return (
    <VerbDialog
      title={m.desk_rates_add_title()}
      text={m.desk_rates_add_text()}
      verb={m.desk_rates_add_verb()}
      isFirst={isFirst}
      action={action}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Fields
        wish={{ ...wish, base }}
        change={(part) => setWish((last) => ({ ...last, ...part }))}
        isUnusual={isUnusual || wish.confirmed}
      />
    </VerbDialog>
  )
}

/** Enters a rate by hand. */
export function AddRate() {
  const [open, setOpen] = useState(false)
  const { data } = useQuery(read('fx-rates', 'needs', { payload: {} }))
  const stored = useQuery(list('fx-rates', { page: { size: 1 } }))
  const missing = data?.needs.find(({ counts }) => !counts)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{m.desk_rates_add()}</Button>
      {open && (
        <Dialog
          base={missing?.base ?? ''}
          isFirst={stored.data?.page.total === 0}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
