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
export type Filed = { document: Document; onSend: () => void }

const SendDocument = lazily(async () => (await import('./send-document.tsx')).SendDocument)

/** The actions on a document: pay it by transfer, explain its amount, its other files, send it. */
export function DocumentFiles({ document, account }: { document: Document; account: number | undefined }) {
  const [isSending, setSending] = useState(false)
  const { full_number: number, bank_details, open, currency } = document
  return (
    <span className={classes.files}>
      {bank_details && <BankDetails details={bank_details} open={open} currency={currency} />}
      <WhyBill bill={document} account={account} />
      <LateMenu
        load={async () => (await import('./document-menu.tsx')).DocumentMenu}
        of={{ document, onSend: () => setSending(true) }}
      >
        <button type="button" className={classes.more} aria-label={m.document_menu({ number })}>
          <IconDots size={18} aria-hidden="true" />
        </button>
      </LateMenu>
      <Suspense>
        {isSending && <SendDocument document={document} onClose={() => setSending(false)} />}
      </Suspense>
    </span>
  )
}
