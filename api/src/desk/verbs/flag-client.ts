import type { deskClients } from '@portico/contract/resources/desk-clients.ts'
import type * as z from 'zod/mini'
import type { Context, RowOf } from '#platform/context.ts'

type Flags = z.output<typeof deskClients.actions.flag.input>

/** Sets the flags of a client. */
export async function flagClient(
  { tx }: Pick<Context, 'tx'>,
  { row, input }: { readonly row: RowOf<'clients'>; readonly input: Flags },
): Promise<Flags> {
  const flags = [...new Set(input.flags)].sort()
  await tx.updateTable('clients').set({ flags }).where('id', '=', row.id).execute()
  return { flags }
}
