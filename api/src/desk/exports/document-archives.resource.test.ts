import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { localStorage } from '#platform/files/file-storage.ts'
import { namedKeys } from '#privacy/stored-files/file-names.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { makeDocuments } from '#test/support/documents.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { unzip } from '#test/support/zip.ts'
import { packDocuments, removeArchives } from './pack-documents.ts'

const temporary = temporaryFolder()
const storage = await localStorage(temporary.folder)
const portal = await testPortal({ storage })
const db = portal.pool.kysely
const clock = { now: () => new Date() }
const parts = { pool: portal.pool, clock, storage }
const url = `${base}/document-archives`
let ana: Account
let billing: Visitor

const keyOf = (number: string) => `pdf-of-${number.toLowerCase()}`

/** Keeps the PDF of a document, as the job of documents does. */
async function printed(number: string): Promise<void> {
  const key = keyOf(number)
  const content = `%PDF-1.7 ${number}`
  await fs.writeFile(path.join(storage.incoming, key), content)
  await storage.keep(key, path.join(storage.incoming, key))
  const sha256 = createHash('sha256').update(content).digest('hex')
  await db
    .updateTable('invoices')
    .set({ pdf_key: key, pdf_sha256: sha256 })
    .where('full_number', '=', number)
    .execute()
}

beforeAll(async () => {
  ana = await makeAccount(portal.pool, { projects: 1, panels: 1 })
  const dan = await makeAccount(portal.pool, { projects: 1, panels: 1 })
  await makeDocuments(portal.pool, ana)
  await makeDocuments(portal.pool, dan)
  const rows = await db
    .selectFrom('invoices')
    .select('full_number')
    .where('issued_at', 'is not', null)
    .execute()
  for (const { full_number } of rows) await printed(full_number ?? '')
})

const ask = (who: Visitor, from_day = '2020-01-01', to_day = '2020-12-31', format = 'pdf') =>
  who.post(url, { data: { type: 'document-archives', attributes: { from_day, to_day, format } } })

const thisYear = () => {
  const year = new Date().getUTCFullYear()
  return [`${year - 1}-12-31`, `${year}-12-30`] as const
}

const member = async (role: 'support' | 'billing' | 'admin' | 'readonly') =>
  portal.staff(await makeAdmin(portal.pool, role))

const file = (who: Visitor, id: string | number | undefined) =>
  portal.app.inject({
    method: 'GET',
    url: `${url}/${id}/-actions/download`,
    headers: { authorization: `Bearer ${who.token}` },
  })

test('billing gets the invoices and credit notes of all clients in one file, for an hour', async () => {
  billing = await member('billing')
  const { one, status } = await ask(billing, ...thisYear())
  expect([status, one.attributes?.status, one.attributes?.total]).toEqual([201, 'waiting', 4])
  expect((await file(billing, one.id)).json().errors[0].code).toBe('archive_not_ready')
  expect((await ask(billing, ...thisYear())).faults).toEqual([
    '409 archive_running /data/attributes/from_day',
  ])
  await packDocuments(parts, Number(one.id), { last: true })
  const ready = (await billing.get(`${url}/${one.id}`)).one.attributes
  expect(ready).toMatchObject({ status: 'ready', done: 4, lacking: 0 })
  const answer = await file(billing, one.id)
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/zip'])
  const packed = unzip(answer.rawPayload)
  expect([...packed.keys()].sort()).toEqual(['HST-1.pdf', 'HST-2.pdf', 'ST-1.pdf', 'ST-2.pdf'])
  expect(packed.get('HST-2.pdf')?.toString()).toBe('%PDF-1.7 HST-2')
  // The nightly sweep keeps files that a row names.
  const { file_key } = await db.selectFrom('document_archives').select('file_key').executeTakeFirstOrThrow()
  expect((await namedKeys(db, [file_key ?? ''])).size).toBe(1)

  expect((await file(await member('admin'), one.id)).statusCode).toBe(404)
  expect((await file(await member('support'), one.id)).statusCode).toBe(404)
  expect((await file(portal.as(ana), one.id)).statusCode).toBe(404)
  portal.clock.time = new Date(Date.now() + 61 * 60_000)
  expect((await file(billing, one.id)).json().errors[0].code).toBe('export_ended')
  portal.clock.time = undefined
  await removeArchives(db, new Date(Date.now() + 59 * 60_000))
  expect((await file(billing, one.id)).statusCode).toBe(200)
  await removeArchives(db, new Date(Date.now() + 61 * 60_000))
  expect((await file(billing, one.id)).json().errors[0].code).toBe('export_ended')
  const { rows } =
    await sql`select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'file.remove' and j.payload ->> 'key' = ${file_key}`.execute(db)
  expect(rows).toHaveLength(1)
})

test('a damaged document is named in the file, and the others are in it', async () => {
  const reader = await member('readonly')
  const { one } = await ask(reader, ...thisYear())
  await storage.remove(keyOf('HST-1'))
  await packDocuments(parts, Number(one.id), { last: true })
  expect((await reader.get(`${url}/${one.id}`)).one.attributes).toMatchObject({ status: 'ready', lacking: 1 })
  const packed = unzip((await file(reader, one.id)).rawPayload)
  expect([...packed.keys()].sort()).toEqual(['HST-2.pdf', 'ST-1.pdf', 'ST-2.pdf', 'missing-documents.txt'])
  expect(packed.get('missing-documents.txt')?.toString()).toContain('HST-1.pdf')
  await printed('HST-1')
})

test('a period without documents, reversed or too long is refused with its place', async () => {
  const reader = await member('billing')
  const refused = async (...days: [string, string]) => (await ask(reader, ...days)).faults
  const place = '/data/attributes/to_day'
  expect(await refused('1999-01-01', '1999-01-31')).toEqual([`409 archive_empty ${place}`])
  expect(await refused('2026-02-01', '2026-01-31')).toEqual([`422 export_period_reversed ${place}`])
  expect(await refused('2025-01-01', '2026-12-31')).toEqual([`422 export_period_most ${place}`])
})

test('support, clients and strangers pack nothing', async () => {
  expect((await ask(await member('support'), ...thisYear())).status).toBe(403)
  for (const who of [portal.as(ana), portal.nobody]) expect((await ask(who, ...thisYear())).status).toBe(404)
})

test('an archive that cannot be packed is failed after its last attempt, and another can be asked for', async () => {
  const reader = await member('admin')
  const { one } = await ask(reader, ...thisYear())
  const broken = { ...parts, storage: { ...storage, keep: () => Promise.reject(new Error('No disk')) } }
  await expect(packDocuments(broken, Number(one.id), { last: false })).rejects.toThrow()
  expect((await reader.get(`${url}/${one.id}`)).one.attributes?.status).toBe('running')
  await expect(packDocuments(broken, Number(one.id), { last: true })).rejects.toThrow()
  expect((await reader.get(`${url}/${one.id}`)).one.attributes?.status).toBe('failed')
  expect((await file(reader, one.id)).json().errors[0].code).toBe('archive_failed')
  expect((await ask(reader, ...thisYear())).status).toBe(201)
})

test('it needs a reason and a sign-in of the last ten minutes, and the log has both', async () => {
  const id = await makeAdmin(portal.pool, 'readonly')
  const reader = portal.staff(id)
  const asked = (who: Visitor, reason: string) =>
    who.call('POST', url, {
      body: {
        data: {
          type: 'document-archives',
          attributes: { from_day: '2020-01-01', to_day: '2020-01-31', format: 'pdf' },
        },
      },
      headers: { 'portico-reason': reason },
    })
  expect((await asked(reader, '')).faults).toEqual(['422 staff_reason_required Portico-Reason'])
  expect((await ask(portal.staff(id, 'an hour ago'))).faults).toEqual(['403 recent_sign_in_required'])
  expect((await ask(reader, ...thisYear())).status).toBe(201)
  const admin = await member('admin')
  const { list } = await admin.get(
    `${base}/staff-actions?filter[resource_type]=document-archives&filter[admin_id]=${id}`,
  )
  expect(list[0]?.attributes).toMatchObject({ admin_id: id, verb: 'create', reason: 'A test asks for it' })
})

test('an archive whose job died is failed after a while, and one that comes late is thrown away', async () => {
  const reader = await member('billing')
  const { one } = await ask(reader, ...thisYear())
  const kept: string[] = []
  const late = {
    ...parts,
    storage: {
      ...storage,
      keep: async (key: string, from: string) => {
        kept.push(key)
        await storage.keep(key, from)
        await sql`update document_archives set created_at = now() - interval '4 hours' where id = ${one.id}::bigint`.execute(
          db,
        )
        await removeArchives(db, new Date())
      },
    },
  }
  await packDocuments(late, Number(one.id), { last: false })
  expect((await reader.get(`${url}/${one.id}`)).one.attributes?.status).toBe('failed')
  expect(await storage.read(kept[0] ?? '')).toBeNull()
})

test('ten archives a day are enough for one person', async () => {
  const reader = await member('billing')
  for (let asked = 0; asked < 10; asked++) {
    const { one, status } = await ask(reader, ...thisYear())
    expect(status).toBe(201)
    await db
      .updateTable('document_archives')
      .set({ status: 'failed' })
      .where('id', '=', Number(one.id))
      .execute()
  }
  expect((await ask(reader, ...thisYear())).faults).toEqual(['429 archives_in_a_day'])
})
