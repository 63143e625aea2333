import { minorUnits } from '@portico/contract/rules/money/minor-units.ts'
import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { money } from '../../ui/format.ts'
import { useFocusBack } from '../../ui/modal/focus-back.ts'
import { Modal } from '../../ui/modal/modal.tsx'
import { Qr } from '../../ui/qr.tsx'
import classes from './bank-details.module.css'
import { epcText } from './epc.ts'

type Details = NonNullable<Row<'invoices'>['bank_details']>

/** Groups an IBAN by four, as on a statement; banks accept it with and without spaces. */
const grouped = (iban: string): string => iban.replace(/\s/g, '').replace(/(.{4})(?=.)/g, '$1 ')

type Fact = { label: string; shown: string; copied?: string }

const facts = ({ details: { beneficiary, iban, bank_name, reference }, open, currency }: Paid): Fact[] => [
  { label: m.transfer_amount(), shown: money(open, currency), copied: open.toFixed(minorUnits(currency)) },
  { label: m.transfer_beneficiary(), shown: beneficiary, copied: beneficiary },
  { label: m.transfer_iban(), shown: grouped(iban), copied: iban },
  ...(bank_name === null ? [] : [{ label: m.transfer_bank(), shown: bank_name }]),
  { label: m.transfer_reference(), shown: reference, copied: reference },
]

export type Paid = { details: Details; open: number; currency: string }

/** The details of a bank transfer. */
export function BankDialog({ onClose, ...paid }: Paid & { onClose: () => void }) {
  useFocusBack()
  return (
    <Modal
      opened
      onClose={onClose}
      title={m.transfer_title({ number: paid.details.reference })}
      closeButtonProps={{ 'aria-label': m.close() }}
    >
      <p>{m.transfer_text()}</p>
      <dl className={classes.facts}>
        {facts(paid).map(({ label, shown, copied }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <span>{shown}</span>
              {copied !== undefined && <CopyButton value={copied} label={m.copy()} done={m.copied()} />}
            </dd>
          </div>
        ))}
      </dl>
      {paid.currency === 'EUR' && (
        <figure className={classes.code}>
          <Qr text={epcText({ ...paid.details, amount: paid.open })} label={m.transfer_code()} />
          <figcaption>{m.transfer_code_text()}</figcaption>
        </figure>
      )}
    </Modal>
  )
}
