import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { owedStatuses, statusIds, takenBackStatuses } from '#money/invoice-statuses.ts'
import { brokenRules } from '#money/invoices/documents/cius-ro.ts'
import { type DocumentData, type DocumentLogo, documentData } from '#money/invoices/documents/document.ts'
import type { DocumentMaker } from '#money/invoices/documents/document-maker.ts'
import { ubl } from '#money/invoices/documents/ubl.ts'
import { billingAddresses } from '#notifications/billing-addresses.ts'
import { queueMail } from '#notifications/queue-letter.ts'
import { alertStaff, resolveAlert } from '#platform/alerts.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import type { FileStorage } from '#platform/files/file-storage.ts'
import { inspectFile, storageFailed } from '#platform/files/stored-files.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Vault } from '#platform/vault.ts'

/** The renderer and the storage of documents. */
export type DocumentParts = {
  readonly pool: Pool
  readonly vault: Vault
  readonly storage: Pick<FileStorage, 'incoming' | 'keep' | 'read' | 'remove'>
  readonly documents: Pick<DocumentMaker, 'pdf'>
}

/** Where a file of a document is kept. */
export type KeepParts = {
  readonly pool: Pool
  readonly storage: Pick<FileStorage, 'incoming' | 'keep' | 'remove'>
}

type Found = {
  readonly data: DocumentData
  readonly logo: DocumentLogo
  /** Whether it is unpaid, and who is notified. */
  readonly unpaid: boolean
  /** Whether it was issued recently: older documents trigger no letters. */
  readonly recent: boolean
  readonly name: string
  readonly emails: readonly string[]
  /** Whether the account wants the files attached to the letter. */
  readonly attach: boolean
  /** The document that a credit note corrects. `whole`: nothing of it is left. */
  readonly corrects: {
    readonly full_number: string
    readonly electronic: boolean
    readonly whole: boolean
  } | null
  /** The generated files, by format. */
  readonly files: { readonly [format in 'pdf' | 'xml']: Kept | null }
}

export type Kept = { readonly key: string; readonly sha256: string }

const keptFile = (key: string | null, sha256: string | null): Kept | null =>
  key !== null && sha256 !== null ? { key, sha256 } : null

/** Reads all data of a document; null when it is not issued. */
export async function readDocument(db: Database, invoiceId: number): Promise<Found | null> {
  const { rows } = await sql<
    {
      logo: DocumentLogo
      unpaid: boolean
      recent: boolean
      first_name: string
      email: string
      billing_emails: string | null
      attach: boolean
      corrects: Found['corrects']
      pdf_key: string | null
      pdf_sha256: string | null
      xml_key: string | null
      xml_sha256: string | null
    } & Record<string, unknown>
  >`
    select i.kind, i.reason, i.full_number, i.currency, i.issue_date, i.due_date, i.tax_point_date, i.seller, i.buyer,
      lower(i.period) as period_from, upper(i.period) - 1 as period_to, i.vat_treatment, i.vat_groups, i.net, i.vat, i.total,
      i.local_currency, i.vat_local, i.fx_rate, i.fx_date, i.fx_source, i.notes, i.po_number, i.locale, i.issued_at,
      i.kind = 'proforma' and i.invoice_status_id in ${statusIds('cancelled')} as cancelled,
      i.invoice_status_id in ${owedStatuses} as unpaid, i.issued_at > clock_now() - interval '2 days' as recent, c.first_name, c.email, e.billing_emails,
      coalesce(e.attach_invoices, false) as attach,
      i.pdf_key, i.pdf_sha256, i.xml_key, i.xml_sha256,
      (select jsonb_build_object('full_number', o.full_number, 'electronic', o.pdf_key is null or o.xml_key is not null,
        'whole', o.invoice_status_id in ${takenBackStatuses}) from invoices o where o.id = i.corrects_id) as corrects,
      coalesce((select jsonb_build_object('isMark', logo_width < 2 * logo_height,
          'image', 'data:' || logo_type || ';base64,' || translate(encode(logo, 'base64'), E'\n', '')) from brands where logo_prints),
        (select to_jsonb(logo) from operator_profile)) as logo,
      (select coalesce(jsonb_agg(jsonb_build_object('full_number', r.full_number, 'issue_date', r.issue_date) order by r.id), '[]')
        from invoices r where r.id = i.corrects_id
          or r.id in (select l.ref_invoice_id from invoice_lines l where l.invoice_id = i.id)) as refers_to,
      (select jsonb_agg(jsonb_build_object('description_en', l.description_en, 'description_ro', l.description_ro,
          'quantity', trim_scale(l.quantity)::text, 'unit_code', l.unit_code, 'unit_price', trim_scale(l.unit_price)::text,
          'net', l.net::text, 'vat_category', l.vat_category, 'vat_rate', l.vat_rate::text) order by l.position)
        from invoice_lines l where l.invoice_id = i.id) as lines
    from invoices i join clients c on c.id = i.client_id left join client_entities e on e.client_id = i.client_id
    where i.id = ${invoiceId} and i.issued_at is not null`.execute(db)
  const [row] = rows
  if (!row) return null
  const { logo, unpaid, recent, first_name, email, billing_emails, attach, corrects, pdf_key, xml_key } = row
  return {
    data: z.parse(documentData, row),
    logo,
    unpaid,
    recent,
    name: first_name,
    emails: billingAddresses(email, billing_emails),
    attach,
    corrects,
    files: { pdf: keptFile(pdf_key, row.pdf_sha256), xml: keptFile(xml_key, row.xml_sha256) },
  }
}

const sha256Of = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

/** Stores bytes under a key; once it resolves they survive a power failure. */
export async function keepFile(
  { pool, storage }: KeepParts,
  bytes: Uint8Array | string,
  key: string = randomUUID(),
): Promise<Kept> {
  const file = path.join(storage.incoming, randomUUID())
  await fs
    .writeFile(file, bytes, { mode: 0o600 })
    .then(() => storage.keep(key, file))
    .catch(storageFailed(pool.kysely))
    .finally(() => fs.rm(file, { force: true }))
  return { key, sha256: sha256Of(bytes) }
}

async function tell(
  { vault }: DocumentParts,
  tx: Database,
  { data, unpaid, recent, name, emails, attach }: Found,
  document: { readonly invoiceId: number; readonly electronic: boolean },
): Promise<void> {
  const { kind, full_number: number, total, currency, due_date, locale } = data
  if (kind === 'proforma' || !recent) return
  const due = unpaid ? due_date : null
  const about = { kind: 'invoice-issued', name, what: kind, number, total, currency, due } as const
  // Consumers do not need the XML, which is for company accounting.
  const formats = document.electronic && data.buyer.company ? (['pdf', 'xml'] as const) : (['pdf'] as const)
  const letter = attach ? { ...about, attached: { invoiceId: document.invoiceId, formats } } : about
  for (const to of emails) await queueMail({ tx, vault }, { to, language: locale, letter })
}

/**
 * Alerts staff of a document without an electronic invoice, until a credit note takes all of it back. That note violates the
 * same rules, and needs no electronic invoice where there is nothing to take back.
 */
async function alertBroken(tx: Database, { data, corrects }: Found, rules: readonly string[]): Promise<void> {
  if (rules.length > 0 && corrects?.electronic !== false)
    await alertStaff(tx, `document ${data.full_number}`, 'einvoice_broken', { rules })
  if (corrects?.whole) await resolveAlert(tx, `document ${corrects.full_number}`, 'einvoice_broken')
}

/**
 * Generates the files of a document, stores them permanently, and notifies the client. Safe under
 * concurrency: the first run wins. An electronic invoice that violates a rule is not offered, and staff are alerted with
 * the rules. Returns the rules.
 */
export async function makeInvoiceFiles(press: DocumentParts, invoiceId: number): Promise<string[]> {
  const db = press.pool.kysely
  const found = await readDocument(db, invoiceId)
  if (found === null || found.files.pdf !== null) return []
  const { data, logo } = found
  const broken = data.kind === 'proforma' ? [] : brokenRules(data)
  const pdf = await keepFile(press, await press.documents.pdf(data, logo))
  const electronic = data.kind !== 'proforma' && broken.length === 0
  const xml = electronic ? await keepFile(press, ubl(data)) : null
  const first = await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('invoices')
      .set({
        pdf_key: pdf.key,
        pdf_sha256: pdf.sha256,
        xml_key: xml?.key ?? null,
        xml_sha256: xml?.sha256 ?? null,
      })
      .where('id', '=', invoiceId)
      .where('pdf_key', 'is', null)
      // A proforma that was cancelled meanwhile gets the file that says so.
      .where(
        sql<boolean>`(kind = 'proforma' and invoice_status_id in ${statusIds('cancelled')})`,
        '=',
        data.cancelled ?? false,
      )
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await alertBroken(tx, found, broken)
    await tell(press, tx, found, { invoiceId, electronic })
    return true
  })
  if (!first) for (const kept of [pdf, xml]) if (kept) await press.storage.remove(kept.key)
  return broken
}

/** A generated file with the SHA-256; proformas that were cancelled long ago have a file that does not say so. */
async function sameBytes(
  press: DocumentParts,
  { data, logo }: Found,
  { format, sha256 }: { readonly format: 'pdf' | 'xml'; readonly sha256: string },
): Promise<Uint8Array | string | undefined> {
  const made = format === 'pdf' ? await press.documents.pdf(data, logo) : ubl(data)
  if (sha256Of(made) === sha256) return made
  if (!data.cancelled) return undefined
  const before = await press.documents.pdf({ ...data, cancelled: false }, logo)
  return sha256Of(before) === sha256 ? before : undefined
}

/**
 * Regenerates missing files of a document from its stored data, under the same keys. Only a file with the
 * same SHA-256 is stored: a document is never replaced by another. `warn` receives a file that would differ.
 * Damaged files are not touched.
 */
export async function remakeMissingFiles(
  press: DocumentParts,
  invoiceId: number,
  warn: (text: string) => void,
): Promise<void> {
  const found = await readDocument(press.pool.kysely, invoiceId)
  if (found === null) return
  const { data, files } = found
  for (const format of ['pdf', 'xml'] as const) {
    const file = files[format]
    const what = `document ${data.full_number}.${format}`
    if (file === null || (await inspectFile(press.storage, { ...file, what })).state !== 'missing') continue
    const bytes = await sameBytes(press, found, { format, sha256: file.sha256 })
    if (bytes) {
      await keepFile(press, bytes, file.key)
      await resolveAlert(press.pool.kysely, what, 'file_missing')
    } else warn(`The ${what} is missing, and a regenerated file would differ. Restore it from a backup.`)
  }
}

// A job retries for hours; a document without files after that lost its job.
const lateMinutes = 15
const askedAgain = 200

/** Queues the files of documents that have had none for a while. */
export async function requestLateFiles(db: Database): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from invoices where issued_at is not null and pdf_key is null
      and issued_at < clock_now() - make_interval(mins => ${lateMinutes}) order by id limit ${askedAgain}`.execute(
    db,
  )
  for (const { id } of rows)
    await enqueue(db, 'invoice.documents', { invoiceId: id }, { key: `invoice.documents:${id}` })
}

/** Expires unpaid proformas and marks due bills as overdue, by the operator's day. */
export async function ageDocuments(db: Database): Promise<void> {
  await sql`update invoices set invoice_status_id = invoice_status(case when kind = 'proforma' then 'expired' else 'overdue' end)
    where invoice_status_id in ${statusIds('unpaid', 'partially_paid')} and due_date < operator_today()`.execute(
    db,
  )
}
