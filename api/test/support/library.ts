import { idParameter, line, moment } from '@portico/contract/fields.ts'
import { action, type Resource, resource, toMany, toOne } from '@portico/contract/jsonapi.ts'
import { fault } from '@portico/contract/refusals/fields.ts'
import { type SqlBool, sql } from 'kysely'
import * as z from 'zod/mini'
import type { Actor } from '#platform/context.ts'
import type { Pool } from '#platform/db/pool.ts'
import { reason, refuse } from '#platform/errors/problem.ts'
import { everyone, type Policy, type Rule } from '#platform/jsonapi/declare/policy.ts'
import type { Served } from '#platform/jsonapi/declare/served.ts'

// Types that only tests have. Between them they use everything that a declaration can say.

const shelves = resource('shelves', {
  description: 'Has text ids; its books may be without it.',
  id: 'text',
  attributes: { label: line(40, { required: fault('name_required') }), createdAt: moment },
  relationships: { books: toMany('books') },
  create: ['label', 'books'],
  update: ['label', 'books'],
  delete: true,
  sorts: ['label', 'createdAt'],
})

const authors = resource('authors', {
  description: 'Has books that cannot be without it, and a badge at the other end of a to-one.',
  attributes: { name: line(40, { required: fault('name_required') }), owner_id: z.int() },
  relationships: { books: toMany('books'), badge: toOne('badges', { nullable: true }) },
  create: ['name'],
  update: ['name', 'books', 'badge'],
  delete: true,
  filters: { owner_id: idParameter },
  sorts: ['name'],
})

const badges = resource('badges', {
  description: 'Belongs to at most one author, who has at most one.',
  attributes: { text: line(20) },
  relationships: { author: toOne('authors', { nullable: true }) },
  create: ['text', 'author'],
  update: ['text', 'author'],
  delete: true,
})

const books = resource('books', {
  description: 'Has a required and an optional to-one, an exact number, a computed attribute, and actions.',
  attributes: {
    title: line(60, { required: fault('name_required') }),
    pages: z.nullable(z.int().check(z.gte(1), z.lte(30_000))),
    price: z.nullable(z.number().check(z.gte(0), z.lte(1_000_000))),
    status: z.enum(['in', 'out']),
    title_length: z.int(),
    createdAt: moment,
    updatedAt: moment,
  },
  relationships: { author: toOne('authors'), shelf: toOne('shelves', { nullable: true }) },
  create: ['title', 'pages', 'price', 'author', 'shelf'],
  update: ['title', 'pages', 'price', 'author', 'shelf'],
  delete: true,
  ignored: ['legacy'],
  filters: { status: z.enum(['in', 'out']), title: z.string() },
  sorts: ['title', 'pages', 'price', 'title_length', 'createdAt'],
  actions: {
    lend: action({
      method: 'POST',
      on: 'one',
      description: 'Marks the book as lent.',
      input: z.strictObject({ to: line(40, { required: fault('name_required') }) }),
      output: z.object({ status: z.enum(['in', 'out']), to: z.string() }),
    }),
    quote: action({
      method: 'GET',
      on: 'one',
      description: 'What some copies cost.',
      input: z.strictObject({ copies: z.optional(z.int()), note: z.optional(z.string()) }),
      output: z.object({ copies: z.int(), note: z.nullable(z.string()) }),
    }),
    sneak: action({
      method: 'GET',
      on: 'one',
      description: 'A mistake: it writes.',
      input: z.strictObject({}),
      output: z.object({}),
    }),
    count: action({
      method: 'GET',
      on: 'type',
      description: 'How many books there are.',
      input: z.strictObject({ status: z.optional(z.enum(['in', 'out'])) }),
      output: z.object({ count: z.int() }),
    }),
    returnAll: action({
      method: 'POST',
      on: 'type',
      description: 'Brings every book of the reader back.',
      input: z.strictObject({}),
      output: z.object({ returned: z.int() }),
    }),
  },
})

const tables = `
create table shelves (id text primary key default 's-' || gen_random_uuid(), owner_id int8 not null, label text not null,
  created_at timestamptz not null default now());
create unique index shelves_label_taken on shelves (owner_id, label);
create table authors (id int8 generated always as identity primary key, owner_id int8 not null, name text not null);
create table badges (id int8 generated always as identity primary key, owner_id int8 not null, text text not null,
  author_id int8 unique references authors on delete set null);
create table books (id int8 generated always as identity primary key, owner_id int8 not null, title text not null,
  pages int, price numeric(12, 4), status text not null default 'in', author_id int8 not null references authors,
  shelf_id text references shelves on delete set null, created_at timestamptz not null default now(),
  updated_at timestamptz not null default now());`

/** Creates the tables of the library. */
export async function prepareLibrary(pool: Pool): Promise<void> {
  for (const statement of tables.split(';'))
    if (statement.trim()) await sql.raw(statement).execute(pool.kysely)
}

/** Visible to the owner and their guests; only the owner changes it. */
function policyOf(table: string, { actions }: Resource): Policy {
  const owner: Rule = { ...everyone, seen: false, own: 'owner_id', guestsOnly: true }
  const shared: Rule['shared'] = (actor) =>
    sql<SqlBool>`${sql.ref(`${table}.owner_id`)} = any(${actor.numbers(({ owners }) => owners('my_workspaces'))})`
  const others = Object.keys(actions).map((name) => [name, everyone] as const)
  return {
    read: { ...owner, shared },
    create: everyone,
    verbs: { ...Object.fromEntries(others), update: owner, delete: owner, lend: owner },
  }
}

const stored = {
  shelves: ['id', 'owner_id', 'label', 'created_at'],
  authors: ['id', 'owner_id', 'name'],
  badges: ['id', 'owner_id', 'text', 'author_id'],
  books: [
    ...['id', 'owner_id', 'title', 'pages', 'price', 'status', 'author_id', 'shelf_id'],
    ...['created_at', 'updated_at'],
  ],
}

/** A binding to a table that the generated types do not know. */
function bind<C extends Resource>(
  contract: C,
  table: keyof typeof stored,
  more: Partial<Served['binding']>,
): Served {
  return {
    contract,
    lookup: false,
    binding: {
      table,
      stored: stored[table],
      policy: policyOf(table, contract),
      columns: {},
      may: {},
      fill: ({ actor }) => ({ owner_id: actor.id }),
      filters: {},
      sorts: {},
      relationships: {},
      constraints: {},
      spread: {},
      actions: {},
      ...more,
    },
  }
}

type Call = {
  readonly row: { readonly id: number; readonly status: string }
  readonly input: Record<string, never>
}

const bookActions: Served['binding']['actions'] = {
  lend: async ({ tx }, call) => {
    const { row, input } = call as Call // Checked by the contract's input and `visible`, as in any binding.
    if (row.status === 'out') throw refuse('changed_meanwhile')
    await sql`update books set status = 'out' where id = ${row.id}`.execute(tx)
    return { status: 'out', to: input.to }
  },
  quote: async (_context, call) => {
    const { input } = call as Call
    return { copies: input.copies ?? 1, note: input.note ?? null }
  },
  sneak: async ({ tx }, call) => {
    const { row } = call as Call
    await sql`update books set title = 'Sneaked' where id = ${row.id}`.execute(tx)
    return {}
  },
  count: async ({ tx, actor }) => {
    const { rows } = await sql<{
      count: number
    }>`select count(*) from books where owner_id = ${actor.id}`.execute(tx)
    return { count: rows[0]?.count ?? 0 }
  },
  returnAll: async ({ tx, actor }) => {
    const { rows } = await sql`update books set status = 'in' where owner_id = ${actor.id} and status = 'out'
      returning id`.execute(tx)
    return { returned: rows.length }
  },
}

export const library: readonly Served[] = [
  bind(shelves, 'shelves', {
    relationships: { books: { foreignKey: 'shelf_id' } },
    constraints: { shelves_label_taken: { field: 'label', refusal: reason('value_taken') } },
    order: 'label',
  }),
  bind(authors, 'authors', {
    relationships: { books: { foreignKey: 'author_id' }, badge: { inverse: 'author_id' } },
    filters: { owner_id: 'owner_id' },
    order: 'name',
  }),
  bind(badges, 'badges', {
    relationships: { author: 'author_id' },
    constraints: { badges_author_id_key: { field: 'author', refusal: reason('value_taken') } },
  }),
  bind(books, 'books', {
    columns: { title_length: () => sql`length(books.title)` },
    may: {
      // On a type there is no row to look at.
      returnAll: (actor: Actor) => actor.id !== forbiddenActor || reason('forbidden'),
    },
    relationships: { author: 'author_id', shelf: 'shelf_id' },
    filters: { status: 'status', title: 'title' },
    order: '-createdAt',
    actions: bookActions,
  }),
]

/** An actor whom no type action is allowed. */
export const forbiddenActor = 999_999

export type Library = { readonly shelf: string; readonly author: number; readonly books: readonly number[] }

/** Creates one author, one shelf, and some books of an owner; every second book is on the shelf. */
export async function stock(pool: Pool, owner: number, count = 5): Promise<Library> {
  const db = pool.kysely
  const author = await sql<{
    id: number
  }>`insert into authors (owner_id, name) values (${owner}, 'Ursula') returning id`.execute(db)
  const shelf = await sql<{
    id: string
  }>`insert into shelves (owner_id, label) values (${owner}, 'Top') returning id`.execute(db)
  const authorId = author.rows[0]?.id ?? 0
  const shelfId = shelf.rows[0]?.id ?? ''
  await sql`insert into badges (owner_id, text, author_id) values (${owner}, 'Gold', ${authorId})`.execute(db)
  const made = await sql<{
    id: number
  }>`insert into books (owner_id, title, pages, price, author_id, shelf_id)
    select ${owner}, 'Book ' || n, nullif(n % 4, 0) * 100, n + 0.125, ${authorId}, case when n % 2 = 0 then ${shelfId} end
    from generate_series(1, ${count}::int) n returning id`.execute(db)
  return { shelf: shelfId, author: authorId, books: made.rows.map(({ id }) => id) }
}
