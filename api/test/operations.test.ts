import { readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, test } from 'vitest'
import { withClient } from '#platform/db/client.ts'
import { makeAccount } from './support/account.ts'
import { testDatabase } from './support/database.ts'

const { pool, connection } = await testDatabase()
const db = pool.kysely
const page = ['prices', 'secure']
  .map((name) => readFileSync(new URL(`../../docs/operations/${name}.md`, import.meta.url), 'utf8'))
  .join('\n')

type Statement = { readonly text: string; readonly refused: string | undefined }

/** Every statement of the pages, in their order: it ends with its line, and a comment before it names what refuses it. */
const statements: Statement[] = [...page.matchAll(/^```sql\n(.*?)^```$/gms)].flatMap(([, block = '']) =>
  [...block.matchAll(/(?:^-- refused: (\w+)\n)?^(?!--)(.*?;)$/gms)].map(([, refused, text = '']) => ({
    text,
    refused,
  })),
)

/** The outcome of a statement: the reason of its refusal, or whether it affected any row. */
async function outcome(client: pg.Client, { text }: Statement): Promise<string> {
  try {
    const { command, rowCount } = await client.query(text)
    return command === 'BEGIN' || command === 'COMMIT' || rowCount ? 'done' : 'came upon nothing'
  } catch (error) {
    return error instanceof pg.DatabaseError ? (error.constraint ?? error.message) : String(error)
  }
}

test('the statements of the operating guide work, and those it calls refused are refused', async () => {
  const { id } = await makeAccount(pool, { projects: 1, panels: 0 })
  await db.updateTable('clients').set({ email: 'ana@example.com' }).where('id', '=', id).execute()
  const outcomes = await withClient(connection, async (client) => {
    const seen: string[] = []
    for (const statement of statements) seen.push(`${await outcome(client, statement)}: ${statement.text}`)
    return seen
  })
  expect(outcomes).toEqual(statements.map(({ text, refused = 'done' }) => `${refused}: ${text}`))
  expect(statements.filter(({ refused }) => refused).length).toBeGreaterThan(3)
})

test('the statements for emergencies read and change prices', () => {
  for (const how of [/from prices\b/, /(update|insert into) prices\b/])
    expect(statements.some(({ text }) => how.test(text))).toBe(true)
})
