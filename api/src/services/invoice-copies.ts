import type { Context, RowOf } from '../db/context.ts'
import { queueMail } from './mail.ts'

/**
 * Sends a letter with a link to a document to some addresses. Whoever follows the link has to sign in: what is in it is for
 * those who see the account's billing. Beyond the limits of letters nothing is sent, and nobody is told.
 */
export async function requestCopies(
  { tx, vault }: Context,
  invoice: RowOf<'invoices'>,
  emails: readonly string[],
): Promise<{ status: 'queued' }> {
  const number = invoice.full_number ?? ''
  for (const to of new Set(emails.map((email) => email.toLowerCase()))) {
    const letter = { kind: 'invoice-copy', number, invoiceId: invoice.id } as const
    await queueMail({ tx, vault }, { to, language: invoice.locale, letter })
  }
  return { status: 'queued' }
}
