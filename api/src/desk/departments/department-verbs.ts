import type { deskDepartments } from '@portico/contract/resources/desk-departments.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Context, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'

type On = { readonly row: RowOf<'ticket_departments'> }
type Verbs = (typeof deskDepartments)['actions']
type Done = Promise<{ code: string }>

/** The action of administrators that adds a department, after the others. Throws `department_code_taken`. */
export async function add(
  { tx }: Context,
  { input }: { readonly input: z.output<Verbs['add']['input']> },
): Done {
  const made = await tx
    .insertInto('ticket_departments')
    .values(({ selectFrom }) => ({
      ...input,
      position: selectFrom('ticket_departments').select(
        sql<number>`coalesce(max(position), 0) + 1`.as('next'),
      ),
    }))
    .onConflict((on) => on.column('code').doNothing())
    .returning('code')
    .executeTakeFirst()
  if (!made) throw refuse('department_code_taken', {}, { source: { pointer: '/data/code' } })
  return made
}

/** The action of administrators that changes names and response times; open tickets keep their deadlines. */
export async function edit(
  { tx }: Context,
  { row, input }: On & { readonly input: z.output<Verbs['edit']['input']> },
): Done {
  await tx.updateTable('ticket_departments').set(input).where('id', '=', row.id).execute()
  return { code: row.code }
}

/**
 * The action of administrators that ends new tickets of a department. Throws `department_last` for the last one that every
 * client may write to, with or without access to billing.
 */
export async function close({ tx, now }: Context, { row }: On): Done {
  // All at once, so that two closings cannot each leave only the other one.
  const open = await tx
    .selectFrom('ticket_departments')
    .select(['id', 'requires_billing'])
    .where('closed_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (!open.some(({ id, requires_billing }) => id !== row.id && !requires_billing))
    throw refuse('department_last')
  await tx
    .updateTable('ticket_departments')
    .set({ closed_at: now.toISOString() })
    .where('id', '=', row.id)
    .execute()
  return { code: row.code }
}

/** The action of administrators that takes tickets in a department again. */
export async function reopen({ tx }: Context, { row }: On): Done {
  await tx.updateTable('ticket_departments').set({ closed_at: null }).where('id', '=', row.id).execute()
  return { code: row.code }
}
