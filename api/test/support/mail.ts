import os from 'node:os'
import { Readable } from 'node:stream'
import pino from 'pino'
import type { CheckParts } from '#desk/checks/kept-checks.ts'
import type { InvoiceJobParts } from '#money/invoices/invoices.jobs.ts'
import { recordedOffice } from '#money/invoices/vat/vat-office.ts'
import type { PaymentJobParts } from '#money/payments/payments.jobs.ts'
import { paymentsOf } from '#money/payments/payments.routes.ts'
import type { TaxOfficeJobParts } from '#money/tax-office/tax-office.jobs.ts'
import type { Letter, LetterKind } from '#notifications/letters/letters.ts'
import { type LetterParts, openLetter } from '#notifications/send-letters.ts'
import { systemClock } from '#platform/clock.ts'
import type { Pool } from '#platform/db/pool.ts'
import { readMail } from '#platform/mail/inbound/inbound-mail.ts'
import { keepingMailer } from '#platform/mail/transport/mailer.ts'
import { makeVault } from '#platform/vault.ts'
import type { DataExportParts } from '#privacy/data-exports.ts'
import type { Sweeper } from '#privacy/stored-files/sweep-files.ts'
import type { FileRemoval } from '#tickets/files/files.ts'
import type { InboundMailParts } from '#tickets/inbound/mail-in.ts'
import type { UsageArchiveParts } from '#usage/archives/archive.ts'
import { tokenSecret } from './secret.ts'

/** The vault of `testApp`: it opens what that application sealed. */
export const testVault = makeVault(tokenSecret)

type TestOffice = LetterParts &
  FileRemoval &
  InboundMailParts &
  PaymentJobParts &
  InvoiceJobParts &
  TaxOfficeJobParts &
  DataExportParts &
  UsageArchiveParts &
  Sweeper &
  CheckParts

/** The dependencies of sending letters, for an installation without a mail server. */
export function testPostOffice(pool: Pool, more: Partial<TestOffice> = {}): TestOffice {
  return {
    pool,
    partsOf: async () => [],
    clock: systemClock,
    vault: testVault,
    mailer: keepingMailer,
    publicUrl: 'http://localhost:3000',
    keepLetters: false,
    log: pino({ level: 'silent' }),
    storage: {
      incoming: os.tmpdir(),
      keep: async () => undefined,
      read: async () => Readable.from([]),
      remove: async () => undefined,
      list: () => Readable.from([]),
      sweepIncoming: async () => 0,
    },
    usageKeptDays: 100,
    documents: { pdf: async () => new Uint8Array() },
    exchangeRates: null,
    vatOffice: recordedOffice([]),
    taxOffice: null,
    findAll: async () => [],
    replies: undefined,
    mailbox: undefined,
    readMail: (raw) => readMail(raw, undefined),
    keepFile: async () => undefined,
    payments: paymentsOf(
      { stripe: undefined, publicUrl: 'http://localhost:3000' },
      { pool, clock: systemClock, secret: tokenSecret },
    ),
    ...more,
  }
}

/** Every letter that was written to an address and can still be read, the oldest first. */
export async function lettersTo(pool: Pool, to: string): Promise<Letter[]> {
  const rows = await pool.kysely
    .selectFrom('outbox_letters')
    .select('sealed')
    .where('recipient', '=', to)
    .orderBy('id')
    .execute()
  return rows.flatMap(({ sealed }) => (sealed === null ? [] : [openLetter(testVault, sealed)]))
}

/**
 * The newest letter of a kind to an address, as `testApp` queued it: no mail server is needed to follow its links. Throws
 * when there is none.
 */
export async function newestLetter<K extends LetterKind>(
  pool: Pool,
  to: string,
  kind: K,
): Promise<Extract<Letter, { kind: K }>> {
  const found = (await lettersTo(pool, to)).findLast((letter) => letter.kind === kind)
  if (!found) throw new Error(`No letter of the kind ${kind} was written to ${to}.`)
  // The kind was compared just now.
  return found as Extract<Letter, { kind: K }>
}
