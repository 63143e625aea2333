import type { deskEngines } from '@portico/contract/resources/desk-engines.ts'
import { mostAccounts } from '@portico/contract/rules/take-over.ts'
import type * as z from 'zod/mini'
import type { Context, OutsideContext, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { engineAccess } from '#workspaces/engines/engine-access.ts'
import type { EngineAccess } from '#workspaces/engines/panel-engine.ts'
import { accountsOf, type Proposal, proposalsFor } from '#workspaces/take-over/proposals.ts'
import {
  type At,
  planOf,
  takenFrom,
  takeOver,
  unclearOf,
  undoTakeOver,
} from '#workspaces/take-over/take-over.ts'

type On = { readonly row: RowOf<'panel_engines'> }
type Verbs = typeof deskEngines.actions
type Shown = z.input<Verbs['accounts']['output']>

/** Where an engine is reached. Throws `engine_disabled`, `engine_without_list`. */
async function accessOf({ tx, vault }: Context, { row }: On): Promise<EngineAccess> {
  const access = await engineAccess({ db: tx, vault }, { id: row.id })
  if (!access) throw refuse('engine_disabled')
  const { list, adopt } = access.capabilities
  if (list !== true || adopt !== true) throw refuse('engine_without_list')
  return access
}

/** The accounts of an engine that are nobody's, asked for while nothing is held. Throws `engine_unavailable`. */
const listOf = ({ ports: { engines } }: OutsideContext, access: EngineAccess) =>
  accountsOf(engines.open(access)).catch((cause: unknown) => {
    throw refuse('engine_unavailable', {}, { cause })
  })

function atOf(outside: OutsideContext, access: EngineAccess): At {
  const { actor, now, ports, within } = outside
  return {
    access,
    engine: ports.engines.open(access),
    admin: actor.staff?.id ?? 0,
    now: () => now,
    // The request says what it is in the log of staff.
    within: (_, work) => within(({ tx }) => work(tx)),
  }
}

const shown = ({ account, match, candidates }: Proposal, ours: ReadonlyMap<string, string>) => ({
  id: account.id,
  name: account.name,
  domain: account.domain ?? null,
  email: account.owner.email,
  created_at: account.created_at ?? null,
  plan: account.plan,
  our_plan: ours.get(account.plan ?? '') ?? null,
  match: match ? { client_id: match.client, email: match.email, by: match.by } : null,
  candidates,
})

/** The codes of our plans, by what an engine calls them. */
async function plansOf(
  { tx }: Context,
  engineId: number,
  all: readonly Proposal[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const plan of new Set(all.flatMap(({ account }) => account.plan ?? []))) {
    const id = await planOf(tx, engineId, plan)
    if (id === null) continue
    const { code } = await tx
      .selectFrom('plans')
      .select('code')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    found.set(plan, code)
  }
  return found
}

/**
 * The action of administrators that shows whom the accounts of an engine fit. Throws `engine_disabled`,
 * `engine_without_list`, `engine_unavailable`.
 */
export async function accounts(outside: OutsideContext, on: On): Promise<Shown> {
  const access = await outside.within((context) => accessOf(context, on))
  const listed = await listOf(outside, access)
  return outside.within(async (context) => {
    const { tx } = context
    const unclear = await unclearOf(tx, access.id)
    const taken = await takenFrom(tx, access.id)
    // One that is asked for is no proposal: it is asked again.
    const fresh = (await proposalsFor(tx, listed)).filter(({ account }) => !unclear.includes(account.id))
    const ours = await plansOf(context, access.id, fresh)
    return {
      accounts: fresh.map((one) => shown(one, ours)),
      unclear: unclear.length,
      linked: taken.length - unclear.length,
    }
  })
}

/** The action of administrators that links accounts to clients. Throws `recent_sign_in_required`, and as `accounts`. */
export async function linkAccounts(
  outside: OutsideContext,
  { row, input }: On & { readonly input: z.output<Verbs['takeOver']['input']> },
) {
  assertRecentSignIn(outside)
  const access = await outside.within((context) => accessOf(context, { row }))
  const wanted = new Map(input.accounts.map(({ id, client_id }) => [id, client_id]))
  const listed = (await listOf(outside, access)).filter(({ id }) => wanted.has(id))
  const { all, unclear } = await outside.within(async ({ tx }) => ({
    all: await proposalsFor(tx, listed),
    unclear: await unclearOf(tx, access.id),
  }))
  // A person confirmed the client who was shown, and nobody else.
  const proposals = all.filter(({ account, match }) => match?.client === wanted.get(account.id))
  const outcomes = await takeOver(atOf(outside, access), proposals, unclear.slice(0, mostAccounts))
  const many = (outcome: string) => [...outcomes.values()].filter((one) => one === outcome).length
  const refused = many('refused') + all.length - proposals.length
  return { linked: many('adopted'), refused, unclear: many('unclear') }
}

/**
 * The action of administrators that undoes the take-overs after one, some at a time, so that those that are left are asked for
 * once. Throws `recent_sign_in_required`, and as `accounts`.
 */
export async function releaseAccounts(
  outside: OutsideContext,
  { input, ...on }: On & { readonly input: z.output<Verbs['release']['input']> },
) {
  assertRecentSignIn(outside)
  const { access, taken } = await outside.within(async (context) => {
    const found = await accessOf(context, on)
    return { access: found, taken: await takenFrom(context.tx, found.id) }
  })
  const rest = taken.filter(({ id }) => id > (input.after ?? 0))
  const part = rest.slice(0, mostAccounts)
  const done = await undoTakeOver(atOf(outside, access), part)
  return { ...done, next: rest.length > part.length ? (part.at(-1)?.id ?? null) : null }
}
