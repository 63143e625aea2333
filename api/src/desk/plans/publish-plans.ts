import { sql } from 'kysely'
import { applyPlans } from '#money/pricing/file/import-plans.ts'
import { refusalOf, refusalOfGap } from '#money/pricing/file/plan-refusals.ts'
import { gapsOf } from '#money/pricing/file/price-effect.ts'
import type { Context } from '#platform/context.ts'
import { Problem, refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { assertNone, comparedTo, fileIn, stateOf } from './compared.ts'

type Given = { readonly input: { readonly text: string; readonly state: string } }

/**
 * Publishes what was previewed. Throws `recent_sign_in_required`, `plans_changed_since`, `plans_unchanged`, and what is wrong with
 * the file.
 */
export async function publishPlans(context: Context, { input }: Given): Promise<{ changes: number }> {
  assertRecentSignIn(context)
  const { tx } = context
  const file = fileIn(input.text)
  // One file after the other, so that the state stays the compared one.
  await sql`lock table price_lists in share row exclusive mode`.execute(tx)
  if ((await stateOf(tx, file)) !== input.state) throw refuse('plans_changed_since')
  const { changes, faults } = await comparedTo(tx, file)
  assertNone(faults, 'text')
  if (changes.length === 0) throw refuse('plans_unchanged')
  try {
    await applyPlans(tx, file, changes)
    const gaps = await gapsOf(tx)
    assertNone(gaps.map(refusalOfGap), 'text')
    await sql`set constraints all immediate`.execute(tx)
  } catch (error) {
    const refused = refusalOf(error)
    throw refused ? new Problem(refused, { cause: error }) : error
  }
  return { changes: changes.length }
}
