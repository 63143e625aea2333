import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../../api/write.ts'
import { DateField } from '../../components/dates/date-field.tsx'
import { amountIn } from '../../components/money/amount.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import { useCountries } from './countries.ts'
import { countryName } from './words.ts'

type Wish = { country: string; from: string; rate: string; reduced: string; source: string }

/** A standard rate as it is typed. */
const rateIn = (text: string) => amountIn(text, { least: 0.01, most: 50 })

/** Rates as they are typed, such as `12, 6`; undefined when one of them is none. */
function ratesIn(text: string): number[] | undefined {
  const rates = text
    .split(/[;\s]+|,\s+/)
    .filter((one) => one !== '')
    .map((one) => amountIn(one, { least: 0, most: 50 }))
  return rates.every((one) => one !== undefined) ? rates : undefined
}

function Fields({ wish, change }: { wish: Wish; change: (part: Partial<Wish>) => void }) {
  const countries = useCountries()
  return (
    <>
      <NativeSelect
        label={m.desk_vat_country()}
        value={wish.country}
        data={countries}
        onChange={({ currentTarget }) => change({ country: currentTarget.value })}
      />
      <DateField required label={m.desk_vat_from()} value={wish.from} onChange={(from) => change({ from })} />
      <TextInput
        label={m.desk_vat_rate()}
        description={m.desk_vat_rate_hint()}
        required
        inputMode="decimal"
        pattern="\s*\d{1,2}([.,]\d{1,2})?\s*"
        value={wish.rate}
        error={wish.rate !== '' && rateIn(wish.rate) === undefined && m.desk_vat_rate_fault()}
        onChange={({ currentTarget }) => change({ rate: currentTarget.value })}
      />
      <TextInput
        label={m.desk_vat_reduced()}
        description={m.desk_vat_reduced_hint()}
        pattern="[\d.,;\s]*"
        value={wish.reduced}
        error={ratesIn(wish.reduced) === undefined && m.desk_vat_reduced_fault()}
        onChange={({ currentTarget }) => change({ reduced: currentTarget.value })}
      />
      <TextInput
        label={m.desk_vat_source()}
        description={m.desk_vat_source_hint()}
        required
        maxLength={200}
        value={wish.source}
        onChange={({ currentTarget }) => change({ source: currentTarget.value })}
      />
    </>
  )
}

function Dialog({ onClose }: { onClose: () => void }) {
  const action = useAction('vat-rates', 'setRate')
  const [wish, setWish] = useState<Wish>({ country: 'RO', from: '', rate: '', reduced: '', source: '' })
  const confirm = (reason: string) => {
    const { country, from, source } = wish
    const [rate, reduced] = [rateIn(wish.rate), ratesIn(wish.reduced)]
    if (rate === undefined || reduced === undefined) return
    const payload = { country, from, rate, reduced, source }
    const onSuccess = () => {
      onClose()
      toast(m.desk_vat_done({ country: countryName(country) }))
    }
    action.mutate({ payload, headers: because(reason) }, { onSuccess })
  }
  return (
    <VerbDialog
      title={m.desk_vat_change_title()}
      text={m.desk_vat_change_text()}
      verb={m.desk_vat_change_verb()}
      action={action}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Fields wish={wish} change={(part) => setWish((last) => ({ ...last, ...part }))} />
    </VerbDialog>
  )
}

/** Changes the rate of a country. */
export function ChangeRate() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{m.desk_vat_change()}</Button>
      {open && <Dialog onClose={() => setOpen(false)} />}
    </>
  )
}
