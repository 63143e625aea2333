import type { fxRates } from '@portico/contract/resources/fx-rates.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Context } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { assertOwnSource, enterRate, previewRate } from './fx-entry.ts'
import { rateBefore, requestRates } from './fx-rates.ts'

type Input = z.output<(typeof fxRates.actions)['addRate']['input']>
type Needs = z.input<(typeof fxRates.actions)['needs']['output']>

/** The fetch of rates in the queue, with why its last try failed. */
async function fetchInQueue(tx: Context['tx']): Promise<Needs['fetch']> {
  const { rows } = await sql<NonNullable<Needs['fetch']>>`
    select last_error as problem, run_at as again_at from desk_jobs where task = 'fx.fetch'
    order by last_error limit 1`.execute(tx)
  return rows[0] ?? null
}

/** The currencies that need a rate and why, with the newest one that was published until today. */
export async function readNeeds({ tx }: Context): Promise<Needs> {
  const { rows } = await sql<Needs['needs'][number]>`
    select n.base, n.quote, r.published_on::text as newest, n.counts, n.used, trim_scale(r.rate)::text as rate,
      array(select l.code from price_lists l where l.currency = n.base::bpchar order by l.code) as price_lists
    from fx_needs n left join lateral (select f.published_on, f.rate from fx_rates f
      where f.base = n.base and f.quote = n.quote and f.published_on <= operator_today()
      order by f.published_on desc limit 1) r on true
    order by n.base`.execute(tx)
  return { needs: rows, fetch: await fetchInQueue(tx) }
}

/** The action of staff that queues a fetch of the published rates. */
export async function fetchNow({ tx }: Context) {
  await requestRates(tx)
  return { queued: true as const } // The only value.
}

/**
 * The action of staff that enters a rate, under a source of its own. Throws `recent_sign_in_required`, `documents_need_operator`, `exchange_…`;
 * `exchange_rate_unconfirmed` for one that differs by more than a fifth from the one before.
 */
export async function addRate(context: Context, { input }: { readonly input: Input }) {
  const { tx } = context
  const { base, published_on: publishedOn, rate, source, confirmed = false } = input
  // A person is not asked to sign in again for a source that is refused anyway.
  assertOwnSource(source)
  assertRecentSignIn(context)
  const { quote, change } = await previewRate(tx, { base, publishedOn, rate, source })
  if (change !== undefined && !confirmed) {
    const before = (await rateBefore(tx, { base, quote, publishedOn })) ?? ''
    throw refuse('exchange_rate_unconfirmed', { change, before }, { source: { pointer: '/data/rate' } })
  }
  await enterRate(tx, { base, quote, publishedOn, rate, source })
  return await tx
    .selectFrom('fx_rates')
    .select('id')
    .where('base', '=', base)
    .where('quote', '=', quote)
    .where('published_on', '=', publishedOn)
    .executeTakeFirstOrThrow()
}
