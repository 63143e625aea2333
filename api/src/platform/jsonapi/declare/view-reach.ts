import type { Actor } from '#platform/context.ts'
import { type Refusal, reason } from '#platform/errors/problem.ts'
import type { Model } from './model.ts'

// The limits of a member of staff who sees an account as its owner does, within what the owner sees.

/** Whether no row of the type is ever shown. */
export const isClosedToViews = ({ binding }: Model): boolean => binding.views === 'never'

/** Whether an action only reads the database of the portal. What it asks of others would be asked in the owner's name. */
export const onlyReads = ({ contract, binding }: Model, action: string): boolean =>
  contract.actions[action]?.method === 'GET' && typeof binding.actions[action] === 'function'

/** The reason why a view may not use a verb, whatever the owner may do; undefined when it may, or for other actors. */
export function viewRefusal(model: Model, verb: string, { view }: Pick<Actor, 'view'>): Refusal | undefined {
  if (view === undefined) return undefined
  if (model.contract.actions[verb]?.method !== 'GET') return reason('view_read_only')
  return isClosedToViews(model) || !onlyReads(model, verb) ? reason('view_closed') : undefined
}
