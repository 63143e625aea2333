import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { fxRate } from '#money/invoices/rates/fx.ts'
import { fetchRates } from '#money/invoices/rates/fx-rates.ts'
import { makeAccount } from './support/account.ts'
import { testDatabase } from './support/database.ts'
import { makeDocuments, makeOperator } from './support/documents.ts'
import { businessTime } from './support/money.ts'

const root = path.resolve(import.meta.dirname, '../..')
const { connection, pool } = await testDatabase(2)
const db = pool.kysely
await makeOperator(pool)

beforeEach(async () => {
  await sql`delete from fx_rates`.execute(db)
  // Ahead of the calendar by more than anybody waits, so that the day is the same for the command.
  await businessTime(pool, '2099-11-20T08:00:00Z')
})

const { host = '', port = 5432, user = '', database } = connection
const url = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`

function add(given: Readonly<Record<string, string>>, ...more: string[]) {
  const args = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value])
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['api/src/commands/fx-add.ts', ...args, ...more],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, DATABASE_URL: url },
    },
  )
  return { status, said: (stdout + stderr).trim().split('\n') }
}

const wanted = { currency: 'USD', day: '2099-11-18', rate: '5.50', source: 'BNR, by phone' }
const publish = (publishedOn: string, rate: string) =>
  fetchRates(
    {
      pool,
      exchangeRates: async () => [
        { publishedOn, source: 'bnr', rates: [{ base: 'USD', quote: 'RON', rate }] },
      ],
    },
    () => undefined,
  )
const alerts = async () =>
  (await db.selectFrom('staff_alerts').select('kind').where('resolved_at', 'is', null).execute()).map(
    ({ kind }) => kind,
  )

test('a rate that was too far from the one before is shown with those around it, and confirmed', async () => {
  await publish('2099-11-17', '4.40')
  await publish('2099-11-18', '5.50')
  expect(await alerts()).toEqual(['exchange_rate_unusual'])
  const shown = ['2099-11-17  4.4 RON  bnr', 'This is 25.0 % from the previous rate.']
  const about = '1 USD = 5.50 RON of 2099-11-18'
  expect(add(wanted)).toEqual({
    status: 0,
    said: [...shown, `${about} is new. Nothing was changed; --apply does.`],
  })
  expect((await fxRate(db, 'USD', 'RON', '2099-11-20'))?.rate).toBe('4.400000')
  expect(add(wanted, '--apply')).toEqual({
    status: 0,
    said: [...shown, `${about} counts from the day after.`],
  })
  expect(await fxRate(db, 'USD', 'RON', '2099-11-20')).toEqual({
    rate: '5.500000',
    publishedOn: '2099-11-18',
    source: 'BNR, by phone',
  })
  expect(await alerts()).toEqual([])
  // The next rate is close to the confirmed one, so it needs no confirmation.
  await publish('2099-11-19', '5.52')
  expect((await fxRate(db, 'USD', 'RON', '2099-11-20'))?.rate).toBe('5.520000')
}, 60_000)

test('a rate is replaced until a document states it', async () => {
  expect(add(wanted, '--apply').status).toBe(0)
  expect(add({ ...wanted, rate: '4.41' }).said).toContain(
    '1 USD = 4.41 RON of 2099-11-18 replaces the one of that day. Nothing was changed; --apply does.',
  )
  expect(add({ ...wanted, rate: '4.41' }, '--apply').status).toBe(0)
  await makeOperator(pool)
  const ana = await makeAccount(pool, { projects: 1, panels: 0 })
  await makeDocuments(pool, ana)
  const { rows } = await sql`select distinct fx_rate, fx_source from invoices`.execute(db)
  expect(rows).toEqual([{ fx_rate: '4.410000', fx_source: 'BNR, by phone' }])
  expect(add(wanted, '--apply')).toEqual({
    status: 1,
    said: ['The rate of 18 November 2099 is on issued documents and cannot be changed.'],
  })
}, 60_000)

test.each([
  [{ currency: 'GBP' }, 'No account can be in GBP.'],
  [{ currency: 'RON' }, 'RON is the operator’s currency.'],
  [{ day: '2099-11-21' }, '21 November 2099 is in the future.'],
  [{ rate: '0.00' }, 'npm run fx:add'],
  [{ rate: '4.1234567' }, 'npm run fx:add'],
  [{ rate: '-4.41' }, 'npm run fx:add'],
  [{ rate: '4,41' }, 'npm run fx:add'],
  [{ rate: '1e3' }, 'npm run fx:add'],
  [{ day: '2099-02-30' }, 'npm run fx:add'],
  [{ source: ' ' }, 'npm run fx:add'],
])(
  'a rate with %j is refused with a sentence and changes nothing',
  async (wrong, words) => {
    const { status, said } = add({ ...wanted, ...wrong }, '--apply')
    expect([status, said.join('\n').includes(words), said.join('\n').includes('    at ')]).toEqual([
      1,
      true,
      false,
    ])
    expect(await db.selectFrom('fx_rates').selectAll().execute()).toEqual([])
  },
  60_000,
)
