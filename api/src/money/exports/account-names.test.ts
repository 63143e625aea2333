import fs from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '#test/support/database.ts'
import { accountName, accountNames } from './account-names.ts'

const { pool } = await testDatabase()

const namesOf = async (code: string) => {
  const given = sql`${code}::text`
  const { rows } = await sql<{ en: string | null; ro: string | null }>`select
    ${accountName(given, 'en')} as en, ${accountName(given, 'ro')} as ro`.execute(pool.kysely)
  return rows[0]
}

test('each account that the ledger may open has a name in both languages, and no other has one', async () => {
  const text = fs.readFileSync(
    new URL('../../platform/db/functions/ledger_account.sql', import.meta.url),
    'utf8',
  )
  const fixed = [...text.matchAll(/'([a-z:]+):' \|\| p_currency/g)].map(([, code]) => code)
  const patterns = [...text.matchAll(/'\^([a-z]+):/g)].map(([, code]) => code)
  const { rows } = await sql<{
    kind: string
  }>`select distinct kind from ledger_accounts where client_id is not null
    union values ('client_balance'), ('client_credit'), ('client_vat_due')`.execute(pool.kysely)
  const known = [...fixed, ...patterns, ...rows.map(({ kind }) => kind), 'rounding']
  expect(Object.keys(accountNames).sort()).toEqual(known.sort())
})

test('names say the provider, the country and the rate of their account', async () => {
  expect(await namesOf('psp:stripe:EUR')).toEqual({
    en: 'Payment provider Stripe',
    ro: 'Procesatorul de plăți Stripe',
  })
  expect(await namesOf('vat:RO:21:USD')).toEqual({
    en: 'VAT collected, RO 21%',
    ro: 'TVA colectată, RO 21%',
  })
  expect(await namesOf('revenue:other:USD')).toEqual({ en: 'Other revenue', ro: 'Alte venituri' })
  expect(await namesOf('client_vat_due:USD')).toEqual({
    en: 'VAT owed by clients',
    ro: 'TVA datorată de clienți',
  })
  expect(await namesOf('unheard:USD')).toEqual({ en: null, ro: null })
})
