import type { JobHelpers, Task } from 'graphile-worker'
import * as z from 'zod/mini'
import { closeDueMonth } from '#money/invoices/month/close-run.ts'
import { type ExchangeRateParts, fetchRates } from '#money/invoices/rates/fx-rates.ts'
import { checkVat, recheckVat, type VatCheckParts } from '#money/invoices/vat/vat-checks.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import {
  ageDocuments,
  type DocumentParts,
  makeInvoiceFiles,
  remakeMissingFiles,
  requestLateFiles,
} from './files.ts'

const aboutInvoice = z.object({ invoiceId: z.int() })
const aboutClient = z.object({ clientId: z.int() })

/** The dependencies of the document jobs. */
export type InvoiceJobParts = DocumentParts & ExchangeRateParts & VatCheckParts

type Bounded = (work: (payload: unknown, helpers: JobHelpers) => Promise<unknown>) => Task

async function closeMonths({ pool }: InvoiceJobParts, { logger }: JobHelpers): Promise<void> {
  const { unfinished } = await closeDueMonth(pool.kysely, (clientId, error) =>
    logger.warn(`The month of client ${clientId} is not closed yet: ${String(error)}`),
  )
  if (unfinished) await enqueue(pool.kysely, 'invoice.month-close', {}, { key: 'invoice.month-close' })
}

/** The document jobs; each calls one service function. */
export function invoiceTasks(parts: InvoiceJobParts, bounded: Bounded) {
  const db = parts.pool.kysely
  return {
    'invoice.documents': bounded(async (payload) => {
      await makeInvoiceFiles(parts, z.parse(aboutInvoice, payload).invoiceId)
    }),
    'invoice.remake': bounded((payload, { logger }) =>
      remakeMissingFiles(parts, z.parse(aboutInvoice, payload).invoiceId, (text) => logger.error(text)),
    ),
    'invoice.month-close': bounded((_, helpers) => closeMonths(parts, helpers)),
    'invoice.age': bounded(async () => {
      await ageDocuments(db)
      await requestLateFiles(db)
    }),
    'vat.check': bounded((payload) => checkVat(parts, z.parse(aboutClient, payload).clientId)),
    'vat.recheck': bounded(() => recheckVat(db)),
    'fx.fetch': bounded((_, { logger }) => fetchRates(parts, (what) => logger.warn(what))),
  }
}
