import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { action } from '../../api/query.ts'
import { DateField } from '../../components/dates/date-field.tsx'
import { meterName } from '../../components/money/words.ts'
import { m } from '../../texts/compiled/messages.js'
import { addDays, utcToday } from '../../ui/days.ts'
import { useFocusBack } from '../../ui/modal/focus-back.ts'
import { Modal } from '../../ui/modal/modal.tsx'
import { Section, SectionBody } from '../../ui/section.tsx'
import { TimeLine } from '../lists/time-lines.tsx'
import { type PriceFile, type PriceLine, priceLines, type Span, withPrice } from './price-lines.ts'
import classes from './prices.module.css'
import { unitOf } from './words.ts'

function nameOf({ plan, meter, kind }: PriceLine): string {
  if (meter === null) return m.desk_prices_fee({ plan: plan ?? '' })
  return [meterName(meter), kind, plan].filter(Boolean).join(', ')
}

const amountOf = ({ amount }: Span, { currency, meter }: PriceLine) =>
  amount === null ? m.desk_plans_tiers() : [amount, currency, unitOf(meter)].filter(Boolean).join(' ')

type Wish = { amount: string; from: string }

/** `onChange` returns why the change is not possible, in words, and undefined once it is part of the draft. */
type ChangeProps = { line: PriceLine; onChange: (line: PriceLine, wish: Wish) => string | undefined }

/** Asks for another amount, and from when; it becomes part of the draft. */
function ChangePrice({ line, onChange }: ChangeProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpen(true)}>
        {m.desk_prices_change()}
        <span className="unseen"> {nameOf(line)}</span>
      </Button>
      {isOpen && <ChangeDialog line={line} onChange={onChange} onClose={() => setOpen(false)} />}
    </>
  )
}

function ChangeDialog({ line, onChange, onClose }: ChangeProps & { onClose: () => void }) {
  useFocusBack()
  const [amount, setAmount] = useState('')
  const [from, setFrom] = useState(addDays(utcToday(), 30))
  const [refusal, setRefusal] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const reason = onChange(line, { amount: amount.trim().replace(',', '.'), from })
    setRefusal(reason)
    if (reason === undefined) onClose()
  }
  return (
    <Modal opened onClose={onClose} title={nameOf(line)} closeButtonProps={{ 'aria-label': m.close() }}>
      <form className={classes.form} onSubmit={submit}>
        <p>{m.desk_prices_change_text()}</p>
        <TextInput
          data-autofocus
          label={m.desk_prices_amount({ currency: line.currency })}
          required
          inputMode="decimal"
          pattern="\s*\d{1,10}([.,]\d{1,10})?\s*"
          value={amount}
          onChange={({ currentTarget }) => setAmount(currentTarget.value)}
        />
        <DateField label={m.desk_prices_from()} value={from} onChange={setFrom} />
        <div role="alert" className={classes.refusal}>
          {refusal}
        </div>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {m.cancel()}
          </Button>
          <Button type="submit" disabled={from === ''}>
            {m.desk_prices_draft()}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

function Line({ line, onChange }: { line: PriceLine; onChange?: ChangeProps['onChange'] | undefined }) {
  const isTiered = line.spans.at(-1)?.amount === null
  return (
    <li>
      <div className={classes.head}>
        <strong>{nameOf(line)}</strong>
        {onChange && !isTiered && <ChangePrice line={line} onChange={onChange} />}
      </div>
      <TimeLine spans={line.spans.map((span) => ({ ...span, words: amountOf(span, line) }))} />
    </li>
  )
}

type Props = {
  /** The text of the draft; changes are added to it. */
  draft: string
  /** Takes the file with another price as the draft; absent for those who only read. */
  onDraft?: ((text: string) => void) | undefined
}

/** The file of a draft; the published one while there is none, undefined for a text that is no file of plans. */
function fileOf(draft: string, published: PriceFile): PriceFile | undefined {
  if (draft.trim() === '') return published
  try {
    const file: unknown = JSON.parse(draft)
    // The server checks the rest when the draft is previewed.
    return isFile(file) ? file : undefined
  } catch {
    return undefined
  }
}

const isFile = (file: unknown): file is PriceFile =>
  typeof file === 'object' &&
  file !== null &&
  'price_lists' in file &&
  Array.isArray(file.price_lists) &&
  file.price_lists.every(hasPrices)

const hasPrices = (list: unknown): boolean =>
  typeof list === 'object' &&
  list !== null &&
  'fees' in list &&
  Array.isArray(list.fees) &&
  'meters' in list &&
  Array.isArray(list.meters)

/** Every price of a list on a line of time, and the way to change one. */
export function PriceTimes({ draft, onDraft }: Props) {
  const { data } = useQuery(action('desk-plans', 'file', { payload: {} }))
  const [chosen, setChosen] = useState<string>()
  if (data === undefined) return null
  // The text is the server's own file.
  const file = JSON.parse(data.text) as PriceFile
  const list = chosen ?? (file.price_lists.find((one) => one.default) ?? file.price_lists[0])?.code
  const lines = priceLines(file).filter((line) => line.list === list)
  const change = (line: PriceLine, wish: Wish): string | undefined => {
    const drafted = fileOf(draft, file)
    if (drafted === undefined) return m.desk_prices_draft_unread()
    const next = withPrice(drafted, line, wish)
    if (next === undefined) return m.desk_prices_early()
    onDraft?.(`${JSON.stringify(next, null, 2)}\n`)
    return undefined
  }
  return (
    <Section id="prices" title={m.desk_prices_title()} lead={m.desk_prices_lead()}>
      <SectionBody>
        <NativeSelect
          label={m.desk_clients_list()}
          value={list ?? ''}
          data={file.price_lists.map(({ code, currency }) => ({
            value: code,
            label: `${code} (${currency})`,
          }))}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        />
      </SectionBody>
      <ul className={classes.lines} aria-label={m.desk_prices_title()}>
        {lines.map((line) => (
          <Line
            key={JSON.stringify([line.plan, line.meter, line.kind])}
            line={line}
            onChange={onDraft && change}
          />
        ))}
      </ul>
    </Section>
  )
}
