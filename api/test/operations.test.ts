import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withClient } from '#platform/db/client.ts'
import { testDatabase } from './support/database.ts'

const { connection } = await testDatabase()
const folder = new URL('../../docs/operations/', import.meta.url)

/** The blocks of SQL of each page of the operating guide that has some. */
const pages = Object.fromEntries(
  readdirSync(folder).flatMap((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8')
    const blocks = [...text.matchAll(/^```sql\n(.*?)^```$/gms)].map(([, block = '']) => block)
    return blocks.length === 0 ? [] : [[name, blocks] as const]
  }),
)

test('the operating guide has SQL only for what no screen and no command does', () => {
  expect(Object.keys(pages).sort()).toEqual([
    // The secret of a database whose archive is restored elsewhere, which no screen may show.
    'back-up.md',
    // Other programs read the archive of usage.
    'files.md',
    // All figures of the reports are computed again.
    'reports.md',
    // A lost secret, without which nobody signs in.
    'secure.md',
    // How whoever mends something at the database says why.
    'staff.md',
  ])
})

test.each(['back-up.md', 'reports.md', 'secure.md'])('the statements of %s work', async (name) => {
  await withClient(connection, async (client) => {
    for (const block of pages[name] ?? []) await client.query(block)
  })
  expect(pages[name]).toHaveLength(1)
})

test('a lost secret is replaced at the next start', async () => {
  await withClient(connection, async (client) => {
    await client.query(pages['secure.md']?.[0] ?? '')
    const { rows } = await client.query("select value from settings where key = 'secret_canary'")
    expect(rows).toEqual([{ value: null }])
  })
})
