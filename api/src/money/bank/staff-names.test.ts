import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { bankDesk } from '#test/support/bank-desk.ts'
import { makePayer } from '#test/support/card.ts'
import { person } from '#test/support/people.ts'
import { makeMember } from '#test/support/staff.ts'
import { camt, importFile } from '#test/support/statements.ts'

const { portal, pool, db, importer } = await bankDesk()

/** Whom a transfer of a payer is proposed to. */
async function proposedTo(payer: string): Promise<number[]> {
  const answer = await importFile(importer, camt([{ amount: '60.50', text: 'hosting', payer }]))
  expect(answer.faults).toEqual([])
  const { rows } = await sql<{ clients: number[] }>`
    select array(select (c ->> 'client')::int from jsonb_array_elements(candidates) c order by 1) as clients
    from bank_lines where statement_id = ${JSON.parse(answer.text).statement_id}`.execute(db)
  return rows[0]?.clients ?? []
}

test('money of a client who is called like a member of staff is proposed to the client alone', async () => {
  await makeMember(pool, 'support')
  const { id } = await person(pool, 'namesake@example.test')
  expect(await proposedTo('Ada Example')).toEqual([id])
  expect(await proposedTo('Example Ada')).toEqual([id])
  expect(await proposedTo('Example SRL')).toEqual([id])
  expect(await proposedTo((await makePayer(portal)).email)).toEqual([])
})
