import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import type { ActionOf, Output } from '../../api/actions.ts'
import type { Billing } from '../../api/queries/billing.ts'
import { one } from '../../api/query.ts'
import { inWords } from '../../api/refusal-words.ts'
import { useActionOnce } from '../../api/write.ts'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import { lazily } from '../../ui/loading/lazily.ts'
import { Section, SectionBody, SectionFoot } from '../../ui/section.tsx'
import { Refusal } from '../form-foot/form-foot.tsx'
import { DocumentButton } from '../pay/document-button.tsx'
import { owedBy } from '../pay/owed.ts'

const BankDialog = lazily(async () => (await import('./bank-dialog.tsx')).BankDialog)

type Proforma = Output<ActionOf<'invoices', 'requestProforma'>>

/** The requested proforma: its amount and reference, and its bank details. */
function Requested({
  proforma: { invoice_id: id, full_number: number, total, currency },
}: {
  proforma: Proforma
}) {
  const [isOpen, setOpen] = useState(true)
  const { data } = useQuery(one('invoices', id))
  return (
    <SectionBody>
      <p role="status">{m.transfer_made({ number, amount: money(total, currency) })}</p>
      <Button.Group>
        {/* The button that asked for the proforma is gone. */}
        <Button autoFocus size="xs" variant="default" onClick={() => setOpen(true)}>
          {m.transfer_show_one({ number })}
        </Button>
        <DocumentButton id={id} number={number} format="pdf" />
      </Button.Group>
      <Suspense>
        {isOpen && data?.bank_details && (
          <BankDialog
            details={data.bank_details}
            open={data.open}
            currency={currency}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </SectionBody>
  )
}

type Props = {
  account: number | undefined
  profile: Billing
  /** The typed amount without VAT; undefined while it is invalid. */
  amount: number | undefined
  /** The field of the amount, where it is not on the page already. */
  children?: ReactNode
}

/** Pays without a card: a proforma with our bank details, for the typed amount or for all that is owed. */
export function Transfer({ account, profile, amount, children }: Props) {
  const request = useActionOnce('invoices', 'requestProforma')
  const [refused, setRefused] = useState<string>()
  const [made, setMade] = useState<{ net: number | undefined; proforma: Proforma }>()
  const ask = (net?: number) => {
    setRefused(undefined)
    request.mutate(
      { payload: { client_id: account, ...(net !== undefined && { net }) } },
      {
        onError: (failure) => setRefused(inWords(failure)),
        onSuccess: (proforma) => setMade({ net, proforma }),
      },
    )
  }
  const owes = profile.service_bills_sum > 0 || profile.account_balance < 0
  // One button is enough where both would ask for the same.
  const isAll = owes && amount === owedBy(profile)
  // What there is a proforma for is not asked for again.
  const [hasAll, hasAmount] = [made && made.net === undefined, made?.net !== undefined && made.net === amount]
  return (
    <Section id="transfer" title={m.transfer_ask_title()} lead={m.transfer_ask_text()}>
      {children && <SectionBody>{children}</SectionBody>}
      {made && <Requested key={made.proforma.invoice_id} proforma={made.proforma} />}
      <SectionFoot
        note={
          <>
            {!owes && amount === undefined && <p>{m.transfer_needs_amount()}</p>}
            <Refusal>{refused}</Refusal>
          </>
        }
      >
        {owes && !hasAll && (
          <Button variant="default" loading={request.isPending} onClick={() => ask()}>
            {m.transfer_ask_owed()}
          </Button>
        )}
        {!isAll && !hasAmount && (
          <Button
            variant="default"
            disabled={amount === undefined}
            loading={request.isPending}
            onClick={() => ask(amount)}
          >
            {amount === undefined
              ? m.transfer_ask()
              : m.transfer_ask_one({ amount: money(amount, profile.currency) })}
          </Button>
        )}
      </SectionFoot>
    </Section>
  )
}
