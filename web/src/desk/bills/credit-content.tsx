import { Checkbox, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { one } from '../../api/query.ts'
import { inWords } from '../../api/refusal-words.ts'
import { amountIn } from '../../components/money/amount.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import { AmountField } from '../verbs/amount-field.tsx'
import classes from './bills.module.css'
import type { Preview } from './credit-follows.tsx'
import type { Bill } from './words.ts'
import '../../ui/styles/checkbox.ts'

/** The credited part of a bill, as it is typed: lines by their place from 1, or an amount. */
export type Content = {
  readonly of: 'all' | 'lines' | 'amount'
  readonly lines: string[]
  readonly net: string
}

export const wholeBill: Content = { of: 'all', lines: [], net: '' }

const kinds: Record<Content['of'], () => string> = {
  all: m.desk_credit_all,
  lines: m.desk_credit_lines,
  amount: m.desk_credit_amount,
}

const isKind = (value: string): value is Content['of'] => Object.hasOwn(kinds, value)

/** The input of a credit note; undefined while something is missing. */
export function contentInput({ of, lines, net }: Content, currency: string) {
  if (of === 'all') return {}
  if (of === 'lines') return lines.length === 0 ? undefined : { lines: lines.map(Number) }
  const amount = amountIn(net, undefined, currency)
  return amount === undefined ? undefined : { net: amount }
}

type Props = {
  bill: Bill
  content: Content
  /** What a credit note of all that is left would hold; undefined until it is known. */
  left: Preview | undefined
  onChange: (content: Content) => void
}

/** The lines of a bill: those that were credited are shown as such, and a deducted advance is none. */
function Lines({ bill: { id, currency }, content, left, onChange }: Props) {
  const { data, error } = useQuery(one('invoices', id))
  if (error) return <p>{inWords(error)}</p>
  const credited = new Set(left?.credited_lines.map(String))
  const sold = (data?.lines ?? []).map((line, at) => ({ ...line, place: String(at + 1) }))
  return (
    <Checkbox.Group
      label={m.desk_credit_lines_label()}
      value={content.lines}
      onChange={(lines) => onChange({ ...content, lines })}
    >
      <div className={classes.lines}>
        {sold
          .filter(({ kind }) => kind !== 'advance_regularisation')
          .map(({ place, description_en, description_ro, net }) => {
            const line = `${language() === 'ro' ? description_ro : description_en}: ${money(net, currency)}`
            const isCredited = credited.has(place)
            return (
              <Checkbox
                key={place}
                value={place}
                disabled={isCredited}
                label={isCredited ? m.desk_credit_line_credited({ line }) : line}
              />
            )
          })}
      </div>
    </Checkbox.Group>
  )
}

/** Chooses what a credit note takes back. */
export function CreditContent(props: Props) {
  const { bill, content, left, onChange } = props
  const isOffered = { all: true, lines: left?.by_lines !== false, amount: left?.by_amount !== false }
  return (
    <>
      <NativeSelect
        label={m.desk_credit_what()}
        value={content.of}
        data={Object.entries(kinds)
          .filter(([value]) => isKind(value) && isOffered[value])
          .map(([value, label]) => ({ value, label: label() }))}
        onChange={({ currentTarget: { value } }) => isKind(value) && onChange({ ...content, of: value })}
      />
      {content.of === 'lines' && <Lines {...props} />}
      {content.of === 'amount' && (
        <AmountField
          required
          label={m.desk_credit_net()}
          {...(left?.left_net != null && {
            hint: m.desk_credit_left({ amount: money(left.left_net, bill.currency) }),
          })}
          currency={bill.currency}
          value={content.net}
          onChange={(net) => onChange({ ...content, net })}
        />
      )}
    </>
  )
}
