import { idParameter, stamps } from '@portico/contract/fields.ts'
import type { TypeName } from '@portico/contract/index.ts'
import { action, resource, toMany, toOne } from '@portico/contract/jsonapi.ts'
import * as z from 'zod/mini'
import type { OutsideContext } from '#platform/context.ts'
import { everyone, own } from './policy.ts'
import { lookup, outside, serve } from './serve.ts'
import type { Served } from './served.ts'

// Nothing here runs. `npm run types` fails when a line below a `@ts-expect-error` compiles: these are the mistakes that
// the compiler is to find when a type is added.

const tags = resource('tags', {
  description: 'A type over the table of workspaces.',
  attributes: { name: z.string(), length: z.int(), ...stamps },
  relationships: { client: toOne('clients'), panels: toMany('panels') },
  filters: { client_id: idParameter },
  sorts: ['name', 'age'],
  actions: {
    count: action({
      method: 'GET',
      on: 'one',
      description: 'Counts.',
      input: z.strictObject({ from: z.int() }),
      output: z.object({ count: z.int() }),
    }),
  },
})

const parts = {
  columns: { length: 'id' },
  relationships: { client: 'client_id', panels: { foreignKey: 'project_id' } },
  filters: { client_id: 'client_id' },
  sorts: { age: 'created_at' },
  actions: { count: async (_: unknown, { input }: { input: { from: number } }) => ({ count: input.from }) },
} as const
const policy = { read: everyone, count: everyone }
const { columns, relationships, filters, sorts, actions } = parts

const complete: Served = serve(tags, { table: 'projects', policy, ...parts })

// @ts-expect-error The filters are forgotten.
serve(tags, { table: 'projects', policy, columns, relationships, sorts, actions })
// @ts-expect-error The relationships are forgotten.
serve(tags, { table: 'projects', policy, columns, filters, sorts, actions })
// @ts-expect-error The actions are forgotten.
serve(tags, { table: 'projects', policy, columns, relationships, filters, sorts })
// @ts-expect-error No column is called `length`, and the line that says where it comes from is forgotten.
serve(tags, { table: 'projects', policy, relationships, filters, sorts, actions })
// @ts-expect-error No column is called `age`, and the line that says what it sorts by is forgotten.
serve(tags, { table: 'projects', policy, columns, relationships, filters, actions })
// @ts-expect-error Who may do what is forgotten.
serve(tags, { table: 'projects', ...parts })
// @ts-expect-error There is no such table.
serve(tags, { table: 'tags', policy, ...parts })

// @ts-expect-error A table without time stamps does not have those of the type.
lookup(tags, { table: 'currencies', columns: { length: 'id' }, relationships, filters, sorts, actions })

const bind = (more: Partial<Parameters<typeof serve<typeof tags, 'projects'>>[1]>): Served =>
  serve(tags, { table: 'projects', policy, ...parts, ...more })

bind({ columns: { length: (eb) => eb.fn.coalesce('projects.id') } })
// @ts-expect-error The column is misspelt.
bind({ columns: { length: 'lenght' } })
// @ts-expect-error The column of a filter is misspelt.
bind({ filters: { client_id: 'cleint_id' } })
// @ts-expect-error One of two relationships is forgotten.
bind({ relationships: { client: 'client_id' } })
// @ts-expect-error A to-many relationship has its key in the other table.
bind({ relationships: { client: 'client_id', panels: 'id' } })
// @ts-expect-error The column of a rule is misspelt.
bind({ policy: { ...policy, read: own('projects.cleint_id') } })
// @ts-expect-error The rule speaks of another table.
bind({ policy: { ...policy, read: own('panels.client_id') } })
// @ts-expect-error Nobody has said who reads it.
bind({ policy: { count: everyone } })
// @ts-expect-error Nobody has said who may call the action.
bind({ policy: { read: everyone } })
// @ts-expect-error There is no such attribute to read in part.
bind({ policy: { ...policy, part: { whole: everyone, fields: ['size'], concerns: () => true } } })
// @ts-expect-error The column of a condition is misspelt.
bind({ present: (eb) => eb('projects.cleint_id', 'is', null) })
// @ts-expect-error The action promises a number.
bind({ actions: { count: async () => ({ count: 'three' }) } })
// @ts-expect-error The action takes no such input.
bind({ actions: { count: async (_, { input }) => ({ count: input.to }) } })
bind({
  actions: {
    count: outside(async ({ ports }, { input }: { input: { from: number } }) => {
      // @ts-expect-error Nobody declared such a port.
      void ports.telephone
      return { count: input.from }
    }),
  },
})
// @ts-expect-error An action that calls outside promises a number as well.
bind({ actions: { count: outside(async () => ({ count: 'three' })) } })
// @ts-expect-error It runs in no transaction.
bind({ actions: { count: outside(async ({ tx }: OutsideContext) => ({ count: tx ? 1 : 0 })) } })
// @ts-expect-error A row has no such column.
bind({ may: { update: (actor, row) => row.owner_id === actor.id } })
// @ts-expect-error There is no such action to allow.
bind({ may: { cuont: () => true } })
// @ts-expect-error There is no such sort.
bind({ order: 'size' })

const others: Record<Exclude<TypeName, 'projects'>, Served> = Object.create(null)
// @ts-expect-error The registry lacks a type of the contract.
others satisfies Record<TypeName, Served>
;({ ...others, projects: complete }) satisfies Record<TypeName, Served>
