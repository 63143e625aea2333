import { Suspense, useState } from 'react'
import type { Row } from '../../api/rows.ts'
import { BankDetails } from '../../components/transfer/bank-details.tsx'
import { WhyBill } from '../../components/why/why-bill.tsx'
import { m } from '../../texts/compiled/messages.js'
import { IconDots } from '../../ui/icons.tsx'
import { LateMenu } from '../../ui/loading/late-menu.tsx'
import { lazily } from '../../ui/loading/lazily.ts'
import classes from './billing.module.css'

export type Document = Row<'invoices'>
/** A document in its menu. */
export type Filed = { document: Document; onSend: () => void; onCancel: () => void }

const SendDocument = lazily(async () => (await import('./send-document.tsx')).SendDocument)
const CancelProforma = lazily(async () => (await import('./cancel-proforma.tsx')).CancelProforma)

/** The actions on a document: pay it by transfer, explain its amount, its other files, send it, cancel it. */
export function DocumentFiles({ document, account }: { document: Document; account: number | undefined }) {
  const [open, setOpen] = useState<'send' | 'cancel'>()
  const { full_number: number, bank_details, currency } = document
  const close = () => setOpen(undefined)
  return (
    <span className={classes.files}>
      {bank_details && <BankDetails details={bank_details} open={document.open} currency={currency} />}
      <WhyBill bill={document} account={account} />
      <LateMenu
        load={async () => (await import('./document-menu.tsx')).DocumentMenu}
        of={{ document, onSend: () => setOpen('send'), onCancel: () => setOpen('cancel') }}
      >
        <button type="button" className={classes.more} aria-label={m.document_menu({ number })}>
          <IconDots size={18} aria-hidden="true" />
        </button>
      </LateMenu>
      <Suspense>
        {open === 'send' && <SendDocument document={document} onClose={close} />}
        {open === 'cancel' && <CancelProforma document={document} onClose={close} />}
      </Suspense>
    </span>
  )
}
