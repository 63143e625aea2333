import { deskPlans } from '@portico/contract/resources/desk-plans.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { Database } from '#platform/db/pool.ts'
import { untilBlocked } from '#test/support/lock-wait.ts'
import { testPortal } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { lockPlans } from './store-plans.ts'

// A draft that a colleague deletes or offers while another changes it.

const portal = await testPortal()
const { pool } = portal
const billing = portal.staff(await makeAdmin(pool, 'billing'))
const url = `${base}/desk-plans`
const { draft, addDraft } = deskPlans.actions
const { code: _, ...details } = draft.output.parse((await billing.get(`${url}/-actions/draft`)).json).example

let drafts = 0
let id = 0

beforeEach(async () => {
  const { json } = await billing.post(`${url}/-actions/addDraft`, {
    data: { ...details, code: `raced-${++drafts}` },
  })
  id = addDraft.output.parse(json).id
})

const edit = () => billing.post(`${url}/${id}/-actions/editDraft`, { data: { ...details, name_en: 'Late' } })
const remove = () => billing.post(`${url}/${id}/-actions/deleteDraft`, { data: {} })
const read = () => billing.get(`${url}/${id}`)

/** What a request answers that waited for another, which committed. */
async function behind(first: (tx: Database) => Promise<unknown>, request: typeof edit) {
  const { answer } = await pool.kysely.transaction().execute(async (tx) => {
    await lockPlans(tx)
    const waiting = request()
    await untilBlocked(pool)
    await first(tx)
    return { answer: waiting }
  })
  return (await answer).faults
}

const deleted = (tx: Database) => tx.deleteFrom('plans').where('id', '=', id).execute()
const offered = (tx: Database) => sql`update plans set state = 'offered' where id = ${id}`.execute(tx)

test('behind a deletion, an edit does not find it, and it is not stored again', async () => {
  expect(await behind(deleted, edit)).toEqual(['404 not_found'])
  const codes = await pool.kysely
    .selectFrom('plans')
    .select('id')
    .where('code', '=', `raced-${drafts}`)
    .execute()
  expect(codes).toEqual([])
})

test('behind a deletion, another deletion does not find it', async () => {
  expect(await behind(deleted, remove)).toEqual(['404 not_found'])
})

test('behind its publication it is neither changed nor deleted, and stays offered', async () => {
  expect(await behind(offered, edit)).toEqual(['409 plan_not_draft'])
  expect((await read()).one.attributes).toMatchObject({ state: 'offered', name_en: details.name_en })
  expect(await behind(offered, remove)).toEqual(['409 plan_not_draft'])
  expect((await read()).one.attributes).toMatchObject({ state: 'offered' })
})

test('after an edit a deletion deletes what was stored, and an edit after it does not find it', async () => {
  expect([(await edit()).status, (await remove()).status]).toEqual([200, 200])
  expect((await read()).status).toBe(404)
  expect((await edit()).faults).toEqual(['404 not_found'])
})
