import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '#test/support/database.ts'
import { type Queryable, withClient } from './client.ts'
import { applyFunctions } from './functions.ts'

const { connection } = await testDatabase()

/** Runs `work` in a transaction that is rolled back. */
const rolledBack = (work: (query: Queryable['query']) => Promise<void>): Promise<void> =>
  withClient(connection, async (client) => {
    await client.query('begin')
    await work((sql) => client.query(sql))
    await client.query('rollback')
  })

function folderOf(functions: Readonly<Record<string, string>>): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portico-functions-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true }))
  for (const [name, sql] of Object.entries(functions)) fs.writeFileSync(path.join(folder, `${name}.sql`), sql)
  return folder
}

const answering = (number: number) =>
  `create or replace function answer() returns integer language sql as $$ select ${number} $$;`

test('a function is applied when its text changes, and only then', async () => {
  await rolledBack(async (query) => {
    const apply = (sql: string) => applyFunctions({ query }, '0100-x', folderOf({ answer: sql }))
    expect(await apply(answering(1))).toEqual(['answer'])
    expect(await apply(answering(1))).toEqual([])
    expect(await apply(answering(2))).toEqual(['answer'])
    expect((await query('select answer() as said')).rows).toEqual([{ said: 2 }])
  })
})

test('a version with an older schema does not bring back its text', async () => {
  await rolledBack(async (query) => {
    await applyFunctions({ query }, '0101-newer', folderOf({ answer: answering(2) }))
    expect(await applyFunctions({ query }, '0100-older', folderOf({ answer: answering(1) }))).toEqual([])
    expect((await query('select answer() as said')).rows).toEqual([{ said: 2 }])
  })
})

test('functions may call each other, whichever file comes first', async () => {
  await rolledBack(async (query) => {
    const caller =
      'create or replace function a_caller() returns integer language sql as $$ select answer() $$;'
    await applyFunctions({ query }, '0100-x', folderOf({ a_caller: caller, answer: answering(3) }))
    expect((await query('select a_caller() as said')).rows).toEqual([{ said: 3 }])
  })
})

test('the database runs the text of the folder, and nothing that is not in it', async () => {
  await rolledBack(async (query) => {
    const defined = `select p.proname as name, pg_get_functiondef(p.oid) as text from pg_proc p
      join pg_namespace n on n.oid = p.pronamespace
      where n.nspname = 'public' and p.prokind in ('f', 'p')
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by 1`
    const before = (await query(defined)).rows
    const names = fs.readdirSync(path.join(import.meta.dirname, 'functions')).map((file) => file.slice(0, -4))
    expect([...new Set((before as { name: string }[]).map(({ name }) => name))]).toEqual(names.sort())
    await query('delete from schema_functions')
    expect(await applyFunctions({ query }, '9999-all')).toEqual(names)
    expect((await query(defined)).rows).toEqual(before)
  })
})
