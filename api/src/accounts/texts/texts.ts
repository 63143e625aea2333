import type { publishedTexts } from '@portico/contract/resources/published-texts.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'

type Verbs = typeof publishedTexts.actions
type Kind = z.output<Verbs['current']['input']>['kind']
type Current = z.input<Verbs['current']['output']>

/** SQL: a day of the operator's; without one yet, of UTC. */
const today = sql<string>`coalesce(operator_today(), clock_today())`

const none: Current = { version: null, from_day: null, body_en: null, body_ro: null }

async function textOf(db: Database, kind: Kind): Promise<Current> {
  const found = await db
    .selectFrom('published_texts')
    .select(['version', 'from_day', 'body_en', 'body_ro'])
    .where('kind', '=', kind)
    .where('from_day', '<=', today)
    .orderBy('from_day', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found ?? none
}

/** The action of visitors that reads the text of today, a day of the operator's. */
export const currentText = ({ tx }: Context, { input }: { readonly input: { readonly kind: Kind } }) =>
  textOf(tx, input.kind)

/** The version of today's terms; undefined where none is published, and a proxy may serve them. */
export async function currentTerms(db: Database): Promise<string | undefined> {
  return (await textOf(db, 'terms')).version ?? undefined
}

/** Throws `terms_changed` when another version was accepted than the one that applies. */
export async function assertCurrentTerms(
  db: Database,
  accepted: string | undefined,
  pointer = '/data/attributes/terms_version',
): Promise<void> {
  const version = await currentTerms(db)
  if (version !== undefined && version !== accepted)
    throw refuse('terms_changed', { version }, { source: { pointer } })
}

/**
 * The action of administrators that publishes a version. Throws `recent_sign_in_required`, `text_from_past`,
 * `text_version_taken`, `text_day_taken`.
 */
export async function publish(
  context: Context,
  { input }: { readonly input: z.output<Verbs['publish']['input']> },
) {
  assertRecentSignIn(context)
  const { rows } = await sql<{
    past: boolean
  }>`select ${input.from_day}::date < ${today} as past`.execute(context.tx)
  if (rows[0]?.past) throw refuse('text_from_past', {}, { source: { pointer: '/data/from_day' } })
  return await context.tx
    .insertInto('published_texts')
    .values(input)
    .returning('id')
    .executeTakeFirstOrThrow()
}
