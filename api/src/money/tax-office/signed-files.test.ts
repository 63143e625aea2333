import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { noScanner } from '#platform/files/file-scanner.ts'
import { localStorage } from '#platform/files/file-storage.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { makeBuyer } from '#test/support/documents.ts'
import { Browser, person } from '#test/support/people.ts'
import { OfficeWorld } from '#test/support/tax-office.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { unzip } from '#test/support/zip.ts'

const { pool } = await testDatabase()
const { folder, remove } = temporaryFolder()
const storage = await localStorage(folder)
const { app } = await testApp(pool, { files: { storage, scanner: noScanner } })
const world = await OfficeWorld.open(pool, folder)
const [ana, eve] = [await person(pool, 'ana@example.com'), await person(pool, 'eve@example.com')]
const [browser, stranger] = [new Browser(app), new Browser(app)]

afterAll(() => {
  world.server.close()
  remove()
})

test('a client downloads what the tax office signed, byte for byte; a stranger does not', async () => {
  for (const one of [ana, eve]) await makeBuyer(pool, one)
  await browser.signIn(ana.email)
  await stranger.signIn(eve.email)
  const { id, number } = await world.invoice(ana.id)
  const at = `/api/v1/invoices/${id}/-actions/signed`
  const early = await browser.get(at)
  expect([early.statusCode, early.json().errors[0].code]).toEqual([409, 'einvoice_file_not_ready'])
  const read = async () => (await browser.get(`/api/v1/invoices/${id}`)).json().data.attributes.signed_ready
  expect(await read()).toBe(false)
  await world.run()
  expect(await read()).toBe(true)
  const whole = await browser.get(at)
  expect(whole.statusCode).toBe(200)
  expect(whole.headers).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename=${number}-e-factura.zip`,
  })
  const { upload_index: index, signed_sha256 } = await world.row(id)
  expect(createHash('sha256').update(whole.rawPayload).digest('hex')).toBe(signed_sha256)
  const files = unzip(whole.rawPayload)
  expect([...files.keys()]).toEqual([`${index}.xml`, `semnatura_${index}.xml`])
  expect(files.get(`${index}.xml`)?.toString('utf8')).toContain(`<cbc:ID>${number}</cbc:ID>`)
  expect((await stranger.get(at)).statusCode).toBe(404)
  expect((await new Browser(app).get(at)).statusCode).toBe(401)
  expect((await browser.get('/api/v1/invoices/999999/-actions/signed')).statusCode).toBe(404)
  await sql`update tax_offices set in_use = false`.execute(pool.kysely)
  expect((await browser.get(at)).statusCode).toBe(409)
})
