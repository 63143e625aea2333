import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const url = `${base}/desk-panels`
const ana = await makeAccount(pool, { projects: 1, panels: 2 })
const bogdan = await makeAccount(pool, { projects: 1, panels: 1 })
const support = portal.staff(await makeAdmin(pool))
const [first = 0, second = 0] = ana.panels
const [third = 0] = bogdan.panels

const named = async (query: string, by: Visitor = support) =>
  (await by.get(`${url}?sort=createdAt&${query}`)).list.map(({ id }) => Number(id))

test('clients, guests and strangers find no list of panels', async () => {
  const guest = await makeAccount(pool, { projects: 0, panels: 0 })
  await portal.share(ana, guest, {})
  for (const who of [portal.as(ana), portal.as(guest), portal.nobody])
    for (const path of ['', `/${first}`]) expect((await who.get(`${url}${path}`)).status).toBe(404)
  expect((await support.get(`${url}/999999`)).status).toBe(404)
})

test('staff list the panels of all clients by state, engine, name and domain', async () => {
  await sql`update panels set status = 'error', domain = 'shop.example' where id = ${second}`.execute(db)
  await sql`update panels set name = 'Ștefan 100%' where id = ${third}`.execute(db)
  expect(await named('')).toEqual([first, second, third])
  expect(await named('filter[status]=error')).toEqual([second])
  expect(await named('filter[search]=shop.ex')).toEqual([second])
  expect(await named('filter[search]=stefan%20100%25')).toEqual([third])
  const { rows } = await sql<{ id: number; name: string }>`select id, name from panel_engines
    where is_default`.execute(db)
  const [engine] = rows
  expect(await named(`filter[panel_engine_id]=${engine?.id}`)).toEqual([first, second, third])
  expect(await named('filter[panel_engine_id]=999999')).toEqual([])
  const { one } = await support.get(`${url}/${second}`)
  expect(one.attributes).toMatchObject({
    client_id: ana.id,
    client_name: expect.stringMatching(/\S/),
    engine: engine?.name,
    domain: 'shop.example',
    status: 'error',
  })
})

test('staff see how far the usage of a panel is reported, and what it comes to this month', async () => {
  const through = '2026-03-10T14:00:00Z'
  await sql`insert into engine_watermarks (panel_engine_id, through) select panel_engine_id, ${through}::timestamptz
    from panels where id = ${third}`.execute(db)
  await sql`insert into usages (client_id, project_id, panel_id, resource_ref, usage_on, currency, rated_amount)
    select p.client_id, p.project_id, p.id, v.ref, v.day, u.code, v.amount from panels p join clients c on c.id = p.client_id
      join currencies u on u.id = c.currency_id, lateral (values ('server/1', clock_today(), 1.25),
      ('server/2', clock_today(), 2), ('server/1', (date_trunc('month', clock_today()) - interval '1 day')::date, 9))
      v (ref, day, amount) where p.id = ${third}`.execute(db)
  const { list } = await support.get(`${url}?filter[client_id]=${bogdan.id}`)
  expect(list.map(({ id }) => Number(id))).toEqual([third])
  expect(list[0]?.attributes).toMatchObject({ used_through: through, month_cost: 3.25, currency: 'USD' })
  const other = (await support.get(`${url}/${second}`)).one.attributes
  expect(other).toMatchObject({ month_cost: 0 })

  const engines = `${base}/desk-engines`
  const engine = async () =>
    (await support.get(engines)).list.map(({ attributes }) => attributes).find((one) => one?.is_default)
  expect(await engine()).toMatchObject({ used_through: through, panels_failed: 1, unpriced: 0 })
  await sql`insert into usage_meter_days (usage_on, panel_id, resource_ref, meter_id, quantity, events, unpriced)
    select clock_today(), ${third}, 'server/1', min(id), 1, 1, true from meters`.execute(db)
  expect(await engine()).toMatchObject({ unpriced: 1 })
})

test('deleted panels are not listed, and an unknown state is refused', async () => {
  await sql`update panels set deleted_at = now(), status = 'deleted' where id = ${first}`.execute(db)
  expect(await named('')).toEqual([second, third])
  expect((await support.get(`${url}/${first}`)).status).toBe(404)
  expect((await support.get(`${url}?filter[status]=lost`)).status).toBe(400)
})
