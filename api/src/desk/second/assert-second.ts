import type { Context } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'

/** For verbs that nobody does alone. Throws `second_person_required`. */
export function assertSecond({ second }: Pick<Context, 'second'>): void {
  if (second === undefined) throw refuse('second_person_required')
}
