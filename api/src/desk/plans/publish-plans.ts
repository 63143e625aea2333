import type { Context } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { assertNone, comparedTo, fileIn, stateOf } from './compared.ts'
import { lockPlans, storePlans } from './store-plans.ts'

type Given = { readonly input: { readonly text: string; readonly state: string } }

/**
 * Publishes what was previewed. Throws `recent_sign_in_required`, `plans_changed_since`, `plans_unchanged`, and what is wrong with
 * the file.
 */
export async function publishPlans(context: Context, { input }: Given): Promise<{ changes: number }> {
  assertRecentSignIn(context)
  const { tx } = context
  const file = fileIn(input.text)
  await lockPlans(tx)
  if ((await stateOf(tx, file)) !== input.state) throw refuse('plans_changed_since')
  const { changes, faults } = await comparedTo(tx, file)
  assertNone(faults, 'text')
  if (changes.length === 0) throw refuse('plans_unchanged')
  await storePlans(tx, { file, changes, field: 'text' })
  return { changes: changes.length }
}
