import { type SqlBool, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Actor } from '#platform/context.ts'
import { served as ours } from '#start/registry.ts'
import { library } from '#test/support/library.ts'
import { modelsOf } from './model.ts'
import { everyone, letsThrough, mostGraded, nobody, own, type Rule } from './policy.ts'
import type { Served } from './served.ts'

const all: readonly Served[] = Object.values(ours)
/** A rule that the database evaluates. */
const ofStaff: Rule = { ...nobody, staff: () => sql<SqlBool>`true` }

const books = library.find(({ contract }) => contract.type === 'books')

/** The library with something else as the policy of books. */
function withPolicy(change: (policy: Served['binding']['policy']) => unknown): readonly Served[] {
  if (!books) throw new Error('The library has no books.')
  // The point is what is not a policy.
  const policy = change(books.binding.policy) as Served['binding']['policy']
  return library.map((one) => (one === books ? { ...one, binding: { ...one.binding, policy } } : one))
}

describe('the server does not start', () => {
  test.each<[string, Parameters<typeof withPolicy>[0], string]>([
    ['with a type without a policy', () => undefined, 'books has no policy'],
    ['with nobody said to read a type', ({ verbs }) => ({ verbs }), 'books has no policy'],
    [
      'with a verb that has no rule',
      ({ read, create }) => ({ read, create, verbs: {} }),
      'lacks update, delete',
    ],
    [
      'with an action that has no rule',
      (p) => ({ ...p, verbs: { ...p.verbs, lend: undefined } }),
      'lacks lend',
    ],
    ['with nobody said to create', ({ read, verbs }) => ({ read, verbs }), 'lacks create'],
    [
      'with more rules than a number has bits',
      ({ read, create, verbs }) => {
        const many = Array.from({ length: mostGraded + 1 }, (_, at) => [`verb${at}`, ofStaff])
        return { read, create, verbs: { ...verbs, ...Object.fromEntries(many) } }
      },
      'has more than 53 rules',
    ],
    ['with a rule of another table', (p) => ({ ...p, read: own('panels.client_id') }), 'is about panels'],
  ])('%s', (_what, change, said) => {
    expect(() => modelsOf(withPolicy(change))).toThrow(said)
  })
})

test('each of 53 rules is told from the others', () => {
  // Nothing else of an actor is read where the database has decided.
  const staff = { staff: { id: 1, role: 'billing' } } as unknown as Actor
  for (let granted = 0; granted < mostGraded; granted++) {
    const row = { _can: 2 ** granted }
    const through = Array.from({ length: mostGraded }, (_, bit) => letsThrough(ofStaff, bit, staff, row))
    expect(through.flatMap((yes, bit) => (yes ? [bit] : []))).toEqual([granted])
  }
})

test('every registered type has a policy for everything that can be done to it', () => {
  for (const model of modelsOf(all).values())
    for (const verb of model.verbs) {
      const rule = model.rules.get(verb)
      expect(rule, `${model.name} ${verb}`).toBeDefined()
      // Seeing a row allows nothing more, unless the type allows it for everyone explicitly.
      if (rule?.seen)
        expect({ ...rule, staff: undefined }, `${model.name} ${verb}`).toEqual({
          ...everyone,
          staff: undefined,
        })
    }
})

test('every rule for writing names the owner of the row', () => {
  // Rows that no client may read have no owner rule.
  const ofStaff = ({ own: owner, shared, staff }: Rule) =>
    owner === undefined && shared === undefined && staff !== undefined
  const writes = [...modelsOf(all).values()].flatMap(({ name, rules }) =>
    ['update', 'delete'].flatMap((verb) => {
      const rule = rules.get(verb)
      return rule && !ofStaff(rule) ? [`${name} ${verb} ${rule.seen ? 'everyone' : rule.own}`] : []
    }),
  )
  expect(writes).not.toContainEqual(expect.stringMatching(/everyone|undefined/))
})
