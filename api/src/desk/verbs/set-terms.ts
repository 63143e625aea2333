import type { Context, RowOf } from '#platform/context.ts'

type Terms = { readonly due_days: number | null }

/** Sets when invoices of a client are due after their day; null: as those of other clients. */
export async function setTerms(
  { tx }: Pick<Context, 'tx'>,
  { row, input: { due_days } }: { readonly row: RowOf<'clients'>; readonly input: Terms },
): Promise<Terms> {
  await tx.updateTable('clients').set({ due_days }).where('id', '=', row.id).execute()
  return { due_days }
}
