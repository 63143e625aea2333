import type { Context } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'

/** The currency of an account, of the actor's own when it is undefined. */
export async function currencyOf({ tx, actor }: Context, client: number | undefined): Promise<string> {
  const { code } = await tx
    .selectFrom('clients')
    .innerJoin('currencies', 'currencies.id', 'clients.currency_id')
    .select('currencies.code')
    .where('clients.id', '=', client ?? actor.id)
    .executeTakeFirstOrThrow(() => refuse('not_found', { type: 'clients' }))
  return code
}

/** The account in question; undefined where the actor has no access. Staff have to name one that they see. Throws `not_found`. */
export async function accountOf(
  { actor, see }: Pick<Context, 'actor' | 'see'>,
  { client_id }: { readonly client_id?: number | undefined },
): Promise<number | undefined> {
  const wanted = client_id ?? (actor.staff ? undefined : actor.id)
  if (wanted === undefined)
    throw refuse(
      'usage_client_missing',
      {},
      {
        source: { parameter: 'payload.client_id' },
      },
    )
  if (actor.staff) await see('account-balances', wanted)
  return actor.staff || actor.owners('billing').includes(wanted) ? wanted : undefined
}
