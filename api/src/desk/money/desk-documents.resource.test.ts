import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { makeDocuments } from '#test/support/documents.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const roles = ['support', 'billing', 'admin', 'readonly'] as const
const staff = Object.fromEntries(
  await Promise.all(roles.map(async (role) => [role, portal.staff(await makeAdmin(pool, role))])),
) as Record<(typeof roles)[number], Visitor>
const ana = await makeAccount(pool, { projects: 1, panels: 0 })
const other = await makeAccount(pool, { projects: 1, panels: 0 })
const { proforma, invoice, note } = await makeDocuments(pool, ana)
await makeDocuments(pool, other)
const documents = `${base}/desk-documents`

const idsOf = async (query: string, by: Visitor = staff.readonly) =>
  (await by.get(`${documents}?sort=issue_date&${query}`)).list.map(({ id }) => Number(id))

const sumsOf = async (payload: Record<string, unknown>) => {
  const query = Object.entries(payload).map(([name, value]) => `payload[${name}]=${value}`)
  return (await staff.readonly.get(`${documents}/-actions/sums?${query.join('&')}`)).json
}

test('every role reads the documents of all clients; clients and strangers find nothing', async () => {
  for (const role of roles) expect([role, (await idsOf('', staff[role])).length]).toEqual([role, 6])
  expect((await portal.as(ana).get(documents)).status).toBe(404)
  expect((await portal.nobody.get(documents)).status).toBe(404)
  const may = async (by: Visitor) => (await by.get(`${documents}/${invoice}`)).one?.meta?.may
  expect(await may(staff.billing)).toMatchObject({ creditNote: true, writeOff: true })
  expect(await may(staff.support)).toMatchObject({ creditNote: false, writeOff: false })
})

test('documents are found by client, kind, status, day and a part of number or buyer', async () => {
  const own = `filter[client_id]=${ana.id}`
  expect(await idsOf(own)).toEqual([proforma, invoice, note])
  expect(await idsOf(`${own}&filter[kind]=credit_note`)).toEqual([note])
  expect(await idsOf(`${own}&filter[status]=paid`)).toEqual([invoice, note])
  expect(await idsOf(`${own}&filter[owed]=true`)).toEqual([proforma])
  expect(await idsOf(`${own}&filter[days]=90`)).toEqual([proforma, invoice, note])
  expect(await idsOf(`${own}&filter[search]=tiTei`)).toEqual([proforma, invoice, note])
  expect(await idsOf(`${own}&filter[from]=2100-01-01`)).toEqual([])
  expect(await idsOf(`${own}&filter[to]=1999-01-01`)).toEqual([])
  const { attributes } = (await staff.billing.get(`${documents}/${invoice}`)).one ?? {}
  expect(await idsOf(`filter[search]=${attributes?.full_number}`)).toEqual([invoice])
  expect(attributes).toMatchObject({
    client_id: ana.id,
    client_name: 'Ștefan & Țiței SRL',
    einvoice_state: null,
  })
})

test.each(['days=30', 'kind=draft', 'search=ab', 'owed=yes', 'client_id=x'])(
  'a filter of %s is refused',
  async (filter) => {
    const [name, value] = filter.split('=')
    expect((await staff.billing.get(`${documents}?filter[${name}]=${value}`)).status).toBe(400)
    expect((await staff.billing.get(`${documents}/-actions/sums?payload[${name}]=${value}`)).status).toBe(400)
  },
)

test('the sums are those of the invoices and credit notes of the same list', async () => {
  const { rows } = await sql<{
    net: number
    total: number
  }>`select sum(net)::float as net, sum(total)::float as total
    from invoices where client_id = ${ana.id} and kind <> 'proforma'`.execute(pool.kysely)
  expect(await sumsOf({ client_id: ana.id })).toEqual({
    sums: [expect.objectContaining({ currency: 'USD', count: 2, open: 0, ...rows[0] })],
  })
  expect(await sumsOf({ client_id: ana.id, kind: 'proforma' })).toEqual({
    sums: [expect.objectContaining({ count: 1, net: 50 })],
  })
  expect(await sumsOf({ client_id: ana.id, from: '2100-01-01' })).toEqual({ sums: [] })
})

test('a document that waits for the tax office shows its state there', async () => {
  await sql`update tax_offices set in_use = true where environment = 'prod'`.execute(pool.kysely)
  await sql`insert into e_invoices (environment, invoice_id, client_id, due_on)
    values ('prod', ${invoice}, ${ana.id}, '2026-01-08')`.execute(pool.kysely)
  const { attributes } = (await staff.billing.get(`${documents}/${invoice}`)).one ?? {}
  expect(attributes?.einvoice_state).toBe('waiting')
})
