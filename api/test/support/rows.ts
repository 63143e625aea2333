import { notify } from '#notifications/notifications.ts'
import type { Pool } from '#platform/db/pool.ts'
import { makeKey } from './api-key.ts'
import { makeDocuments } from './documents.ts'
import { makePayment } from './payment.ts'
import { makePanelPlan } from './plans.ts'
import { type MadeTicket, makeAdmin, makeTicket } from './ticket.ts'
import { makeUsage } from './usage.ts'

// The rows that the permission matrix and the conformance suite walk. A new type gets its row here, once for both.

type Owner = { readonly id: number; readonly panels: readonly number[] }
type Ids = Readonly<Record<string, number | string>>

/** Makes rows of an account and its panels; returns an id for each type of which the owner may see other rows as well. */
export async function makeRows(pool: Pool, owner: Owner, days: readonly string[]): Promise<Ids> {
  const { id: client, panels } = owner
  const [panel = 0] = panels
  let ticket: MadeTicket | undefined
  for (const one of panels) ticket = await makeTicket(pool, { client, panel: one })
  const payment = await makePayment(pool, client)
  const params = { panel: 'A panel' }
  await notify(pool.kysely, client, { kind: 'panel_degraded', about: panel, params })
  await makeUsage(pool, { client, panels, days, charged: days.slice(0, 1) })
  const documents = await makeDocuments(pool, owner)
  const key = await makeKey(pool, { client })
  const plan = await makePanelPlan(pool.kysely, { client, panel })
  return {
    ...payment,
    ...plan,
    'api-keys': key.id,
    'billing-profiles': client,
    clients: client,
    'desk-clients': client,
    invoices: documents.note,
    panels: panel,
    ...(ticket && {
      tickets: ticket.ticket,
      'ticket-messages': ticket.messages[1],
      'ticket-files': ticket.files[0],
      'ticket-emails': ticket.email,
      'ticket-ticket-emails': ticket.notified,
    }),
  }
}

/** Makes rows that belong to staff and to no account. */
export async function makeStaffRows(pool: Pool, name: string): Promise<Ids> {
  const db = pool.kysely
  const answer = await db
    .insertInto('canned_answers')
    .values({ title: name, body_en: 'Hello', body_ro: 'Bună' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const alert = await db
    .insertInto('staff_alerts')
    .values({ kind: 'disputed', about: name, detail: '{}' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const admin = await makeAdmin(pool)
  const action = await db
    .insertInto('staff_actions')
    .values({
      admin_id: admin,
      verb: 'resolve',
      type: 'staff-alerts',
      reason: name,
      request_id: name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return {
    'canned-answers': answer.id,
    'desk-home': admin,
    'staff-actions': action.id,
    'staff-alerts': alert.id,
  }
}

/** Types that staff alone read. */
export const typesOfStaff: readonly string[] = [
  'canned-answers',
  'desk-clients',
  'desk-home',
  'staff-actions',
  'staff-alerts',
  'staff-preferences',
]

/** The advice of a test that finds no row of a type. */
export const noRow = (type: string): string => `${type} has no row: make one in api/test/support/rows.ts`
