import fs from 'node:fs/promises'
import os from 'node:os'
import { sql } from 'kysely'
import { makeInvoiceFiles } from '#money/invoices/files.ts'
import type { Pool } from '#platform/db/pool.ts'
import { testVault } from './mail.ts'

/** The electronic invoices of an account by number, as they are offered; a document that breaks a rule fails. */
export async function electronicInvoices(pool: Pool, client: number): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: number; full_number: string }>`select id, full_number from invoices
    where client_id = ${client} and kind <> 'proforma' and pdf_key is null and issued_at is not null order by id`.execute(
    pool.kysely,
  )
  const files = new Map<string, string>()
  for (const { id, full_number } of rows) {
    const kept: string[] = []
    const storage = {
      incoming: os.tmpdir(),
      keep: async (_: string, file: string) => void kept.push(await fs.readFile(file, 'utf8')),
      read: () => Promise.reject(new Error('Nothing is read.')),
      remove: async () => undefined,
    }
    const documents = { pdf: async () => Buffer.from('pdf') }
    const broken = await makeInvoiceFiles({ pool, vault: testVault, storage, documents }, id)
    if (broken.length > 0) throw new Error(`${full_number} violates ${broken.join(', ')}.`)
    files.set(full_number, kept[1] ?? '')
  }
  return files
}
