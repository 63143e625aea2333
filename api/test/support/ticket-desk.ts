import { base } from '@portico/contract/wire.ts'
import type { Pool } from '#platform/db/pool.ts'
import type { Answer } from './answer.ts'
import type { Visitor } from './portal.ts'

type Given = {
  attributes?: object
  department?: 'technical' | 'billing'
  panel?: number | undefined
  relationships?: object
}

/** What people do with tickets over HTTP: open, answer, act, read and export them. */
export async function ticketDesk({ kysely: db }: Pool) {
  const department = async (code: string): Promise<string> =>
    String(
      (
        await db
          .selectFrom('ticket_departments')
          .select('id')
          .where('code', '=', code)
          .executeTakeFirstOrThrow()
      ).id,
    )
  const departments = { technical: await department('technical'), billing: await department('billing') }

  function opening({ attributes, department: code = 'technical', panel, relationships }: Given = {}) {
    return {
      data: {
        type: 'tickets',
        attributes: { subject: 'Slow', description: 'Since **noon**', ...attributes },
        relationships: {
          ticketDepartment: { data: { type: 'ticket-departments', id: departments[code] } },
          ...(panel !== undefined && { panel: { data: { type: 'panels', id: String(panel) } } }),
          ...relationships,
        },
      },
    }
  }

  const open = (visitor: Visitor, given?: Given): Promise<Answer> =>
    visitor.post(`${base}/tickets`, opening(given))

  const say = (
    visitor: Visitor,
    ticket: string | number,
    body: string,
    more: object = {},
    related: object = {},
  ) =>
    visitor.post(`${base}/ticket-messages`, {
      data: {
        type: 'ticket-messages',
        attributes: { body, ...more },
        relationships: { ticket: { data: { type: 'tickets', id: String(ticket) } }, ...related },
      },
    })

  const act = (visitor: Visitor, ticket: string | number, action: string, input: object = {}) =>
    visitor.post(`${base}/tickets/${ticket}/-actions/${action}`, { data: input })

  const statusOf = async (visitor: Visitor, ticket: string | number) =>
    (await visitor.get(`${base}/tickets/${ticket}`)).one.attributes?.status

  const linesOf = async (visitor: Visitor, query: string): Promise<string[]> =>
    (await visitor.get(`${base}/tickets/-actions/export?${query}`)).text.trim().split('\r\n')

  /** The numbers of the tickets in an export, in its order. */
  const exported = async (visitor: Visitor, query: string) =>
    (await linesOf(visitor, query)).slice(1).map((line) => line.split(',')[0])

  return { open, say, act, statusOf, linesOf, exported }
}
