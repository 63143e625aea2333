import type { ListedPanel } from '@portico/contract/engine/panel-calls.ts'
import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { inUse } from '#reference/client-status.ts'
import { notStaff } from '#staff/roles.ts'
import type { PanelEngine } from '#workspaces/engines/panel-engine.ts'

/** The maximum number of pages of a list; an engine with endless pages is faulty. */
const mostPages = 2000

/** A client to whom an account of an engine may belong, and by what. */
type Match = { readonly client: number; readonly email: string; readonly by: 'mail' | 'domain' }

/** An account of an engine that is nobody's, and the one client to whom it belongs, if there is exactly one. */
export type Proposal = {
  readonly account: ListedPanel
  readonly match: Match | undefined
  /** The number of clients that fit equally well. */
  readonly candidates: number
}

/** Every account of an engine that is nobody's. Throws when the engine has no list, or one without an end. */
export async function accountsOf(engine: PanelEngine): Promise<ListedPanel[]> {
  if (!engine.listPanels) throw new Error('This engine does not list its panels.')
  const found = new Map<string, ListedPanel>()
  let cursor: string | undefined
  for (let pages = 1; pages === 1 || cursor !== undefined; pages++) {
    if (pages > mostPages) throw new Error('The list of panels does not end.')
    const page = await engine.listPanels(cursor === undefined ? {} : { cursor })
    for (const one of page.items)
      if (one.panel_id === null && one.status !== 'deleting' && one.status !== 'deleted')
        found.set(one.id, one)
    cursor = page.next
  }
  return [...found.values()]
}

type Asked = { readonly id: string; readonly email: string | null; readonly domain: string | null }
type Candidate = { id: string; client: number; email: string; by: 'mail' | 'domain' }

// Anybody has an address there, so it says nothing about whose a domain is.
const shared = [
  'gmail.com',
  'googlemail.com',
  'yahoo.com',
  'outlook.com',
  'hotmail.com',
  'icloud.com',
  'proton.me',
]

/**
 * Clients by their confirmed address, or by its domain: anybody can type the address or the website of somebody else. Members of
 * staff and closed accounts are none.
 */
async function candidatesFor(db: Database, asked: readonly Asked[]): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    with asked as (select * from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as a (id text, email text, domain text)),
      people as (select c.id as client, c.email::text as email, lower(split_part(c.email::text, '@', 2)) as mail_domain
        from clients c where c.status in (${sql.join(inUse)}) and c.email_verified_at is not null
          and ${notStaff('c')})
    select a.id, p.client, p.email, 'mail' as by from asked a join people p on lower(p.email) = lower(a.email)
    union
    select a.id, p.client, p.email, 'domain' from asked a join people p
      on regexp_replace(lower(a.domain), '^www\\.', '') = p.mail_domain
    where a.domain is not null and p.mail_domain <> '' and regexp_replace(a.domain, '^www\\.', '') <> all(${shared})
    order by 1, 2`.execute(db)
  return rows
}

/** Proposes a client for each account of an engine that is nobody's: by the owner's address first, then by the domain. */
export async function proposalsFor(db: Database, accounts: readonly ListedPanel[]): Promise<Proposal[]> {
  const asked = accounts.map(({ id, owner, domain }) => ({ id, email: owner.email, domain: domain ?? null }))
  const candidates = Map.groupBy(await candidatesFor(db, asked), ({ id }) => id)
  return accounts.map((account) => {
    const all = candidates.get(account.id) ?? []
    const byMail = all.filter(({ by }) => by === 'mail')
    const fitting = byMail.length > 0 ? byMail : all
    const [only, ...more] = fitting
    return { account, match: more.length === 0 ? only : undefined, candidates: fitting.length }
  })
}
