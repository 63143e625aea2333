import type { PlanDraft, planVerbs } from '@portico/contract/resources/desk-plan-verbs.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { examplePlan, withEveryCurrency } from '#money/pricing/file/example-plans.ts'
import { draftIn, unpricedIn, withDraft } from '#money/pricing/file/plan-draft.ts'
import { exportPlans, type ListEntry, type PlanFile } from '#money/pricing/file/plan-file.ts'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { mostFaults, Problem, Problems, type Refusal, refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { comparedTo, fileIn } from './compared.ts'
import { lockPlans, storePlans } from './store-plans.ts'

type Choices = z.input<typeof planVerbs.draft.output>
type World = Awaited<ReturnType<typeof withEveryCurrency>>['world']

const at = (path: string) => ({ source: { pointer: `/data/${path}` } })

type Offered = { readonly file: PlanFile; readonly world: World; readonly known: PlanFile }

/**
 * The plans and prices, with the lists that a draft may begin. Once a plan was offered that takes the file, because a list
 * in another currency needs the price of each.
 */
async function offered(tx: Database): Promise<Offered> {
  const all = await withEveryCurrency(tx)
  return all.known.plans.every(({ state }) => state === 'draft') ? all : { ...all, file: all.known }
}

/** The default list of the operator's own currency, or else the first default list. */
const requiredIn = ({ price_lists: lists }: PlanFile, { own }: World): ListEntry | undefined =>
  lists.find((list) => list.default && list.currency === own) ?? lists.find((list) => list.default)

/** The meters that engines send. */
const metersOf = async (tx: Database): Promise<Choices['meters']> =>
  tx.selectFrom('meters').select(['code', 'unit']).where('by_portal', '=', false).orderBy('id').execute()

async function enginesOf(tx: Database): Promise<Choices['engines']> {
  const { rows } = await sql<Choices['engines'][number]>`select code, name,
    array(select jsonb_array_elements_text(coalesce(capabilities -> 'plans', '[]'))) as plans,
    array(select r ->> 'code' from jsonb_array_elements(coalesce(capabilities -> 'regions', '[]')) r) as regions
    from panel_engines where disabled_at is null order by not is_default, name`.execute(tx)
  return rows
}

/** What the form of a plan offers, an example, and the plan of a code. Nothing is written. */
export async function draft(
  { tx }: Pick<Context, 'tx'>,
  { input: { code } }: { readonly input: { readonly code?: string | undefined } },
): Promise<Choices> {
  const { file, world, known } = await offered(tx)
  const required = requiredIn(file, world)
  // The required list is the first one that a form shows.
  const lists = file.price_lists.toSorted(
    (a, b) => Number(b === required) - Number(a === required) || Number(b.default) - Number(a.default),
  )
  return {
    lists: lists.map((list) => ({
      code: list.code,
      currency: list.currency,
      default: list.default,
      exists: known.price_lists.some((one) => one.code === list.code),
      required: list === required,
    })),
    meters: await metersOf(tx),
    engines: await enginesOf(tx),
    example: examplePlan(file, world),
    plan: (code !== undefined && draftIn(file, code)) || null,
    today: world.today,
  }
}

/** The place in a draft of what its comparison refuses. */
function placeOf({ parameters: { name } }: Refusal, { engines, included }: PlanDraft): string {
  const engine = engines.findIndex((one) => name === `engine ${one.engine}`)
  if (engine >= 0) return `engines/${engine}/engine`
  const meter = included.findIndex((one) => name === `meter ${one.meter}`)
  return meter >= 0 ? `included/${meter}/meter` : 'fees'
}

/** Throws `plan_name_unknown` of a list, `value_required` of the fee that each plan has, `plan_price_missing`. */
function assertPriced(file: PlanFile, world: World, given: PlanDraft): void {
  const strange = given.fees.findIndex(({ list }) => !file.price_lists.some(({ code }) => code === list))
  if (strange >= 0)
    throw refuse('plan_name_unknown', { name: given.fees[strange]?.list ?? '' }, at(`fees/${strange}/list`))
  const required = requiredIn(file, world)
  const fee = given.fees.findIndex(({ list }) => list === required?.code)
  if (required && !given.fees[fee]?.monthly)
    throw refuse('value_required', {}, at(fee < 0 ? 'fees' : `fees/${fee}/monthly`))
  const lack = unpricedIn(file, given, world.today)
  if (lack)
    throw refuse(
      'plan_price_missing',
      { currency: lack.currency, name: lack.meter },
      at(`included/${lack.at}/per_day`),
    )
}

/** The existing lists, and those that a fee begins. */
const begun = (file: PlanFile, given: PlanDraft, known: PlanFile): PlanFile => ({
  ...file,
  price_lists: file.price_lists.filter(
    ({ code }) =>
      known.price_lists.some((list) => list.code === code) ||
      given.fees.some(({ list, monthly }) => list === code && monthly !== null),
  ),
})

/** Stores a draft by the rules of the file. Throws what these refuse, each at its field. */
async function store(tx: Database, given: PlanDraft): Promise<void> {
  const { file, world, known } = await offered(tx)
  assertPriced(file, world, given)
  const text = JSON.stringify(withDraft(begun(file, given, known), given, world.today))
  const next = fileIn(text, 'engines')
  const { changes, faults } = await comparedTo(tx, next)
  if (faults.length > 0)
    throw new Problems(faults.slice(0, mostFaults).map((one) => new Problem(one, at(placeOf(one, given)))))
  await storePlans(tx, { file: next, changes, field: 'fees' })
}

type Saved = { readonly id: number; readonly code: string }

/** Throws `recent_sign_in_required`, `plan_code_taken`, and what is wrong with the draft. */
export async function addDraft(context: Context, { input }: { readonly input: PlanDraft }): Promise<Saved> {
  assertRecentSignIn(context)
  const { tx } = context
  await lockPlans(tx)
  const ofCode = tx.selectFrom('plans').select(['id', 'code']).where('code', '=', input.code)
  if (await ofCode.executeTakeFirst()) throw refuse('plan_code_taken', {}, at('code'))
  await store(tx, input)
  return ofCode.executeTakeFirstOrThrow()
}

/**
 * Locks a draft, whose row was read before the lock and may be old. Throws `not_found` where it was deleted meanwhile, `plan_not_draft`
 * where it was offered.
 */
async function lockDraft(tx: Database, id: number): Promise<void> {
  await lockPlans(tx)
  const plan = await tx
    .selectFrom('plans')
    .select('state')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!plan) throw refuse('not_found', { type: 'desk-plans' })
  if (plan.state !== 'draft') throw refuse('plan_not_draft')
}

type Edit = { readonly row: RowOf<'plans'>; readonly input: Omit<PlanDraft, 'code'> }

/** Throws `recent_sign_in_required`, `plan_not_draft`, and what is wrong with the draft. */
export async function editDraft(context: Context, { row, input }: Edit): Promise<Saved> {
  assertRecentSignIn(context)
  const { tx } = context
  await lockDraft(tx, row.id)
  await store(tx, { ...input, code: row.code })
  return { id: row.id, code: row.code }
}

/** Throws `recent_sign_in_required`, `plan_not_draft`, `plan_announced`. */
export async function deleteDraft(
  context: Context,
  { row: { id, code } }: { readonly row: RowOf<'plans'> },
): Promise<{ code: string }> {
  assertRecentSignIn(context)
  const { tx } = context
  await lockDraft(tx, id)
  const announced = tx.selectFrom('announcements').select('id').where('plan_id', '=', id)
  if (await announced.executeTakeFirst()) throw refuse('plan_announced')
  const was = JSON.stringify(draftIn(await exportPlans(tx), code))
  await tx.deleteFrom('plans').where('id', '=', id).execute()
  await sql`insert into plan_changes (about, was) values (${`plan ${code}`}, ${was}::jsonb)`.execute(tx)
  return { code }
}
