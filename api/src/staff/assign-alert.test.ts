import { base } from '@portico/contract/wire.ts'
import { afterEach, expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'

const portal = await testPortal()
const { pool } = portal
const member = async (role: 'support' | 'billing' | 'admin') => {
  const { admin } = await makeMember(pool, role)
  return { id: admin, call: portal.staff(admin) }
}
const [admin, billing, support] = await Promise.all([member('admin'), member('billing'), member('support')])

afterEach(() => {
  expect(portal.bugs.splice(0)).toEqual([])
})

async function makeAlert(kind: string) {
  const { id } = await pool.kysely
    .insertInto('staff_alerts')
    .values({ kind, about: `test ${crypto.randomUUID()}`, detail: '{}' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const act = (who: typeof admin, id: number, verb: string, data: object) =>
  who.call.post(`${base}/staff-alerts/${id}/-actions/${verb}`, { data })

test('an alert is given to somebody who reads it, found by that, and resolved by anybody concerned', async () => {
  const id = await makeAlert('disputed')
  expect((await act(billing, id, 'assign', { admin_id: billing.id })).json).toEqual({
    assigned_admin_id: billing.id,
  })
  const mine = await billing.call.get(`${base}/staff-alerts?filter[assigned_admin_id]=${billing.id}`)
  expect(mine.list.map((one) => one.id)).toEqual([String(id)])
  expect((await act(admin, id, 'assign', { admin_id: support.id })).faults).toEqual([
    '422 alert_assignee_unfit /data/admin_id',
  ])
  expect((await act(support, id, 'assign', { admin_id: support.id })).status).toBe(404)
  expect((await act(admin, id, 'assign', { admin_id: null })).json).toEqual({ assigned_admin_id: null })
  expect((await act(admin, id, 'resolve', { reason: 'It was answered' })).status).toBe(200)
  expect((await act(admin, id, 'assign', { admin_id: admin.id })).faults).toEqual(['409 alert_resolved'])
})

test('an alert about machines is not given to billing, who do not read it', async () => {
  const id = await makeAlert('job_failed')
  expect((await act(admin, id, 'assign', { admin_id: billing.id })).faults).toEqual([
    '422 alert_assignee_unfit /data/admin_id',
  ])
  expect((await act(admin, id, 'assign', { admin_id: admin.id })).status).toBe(200)
})
