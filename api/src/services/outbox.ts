import type { Pool } from '../db/pool.ts'
import type { Vault } from '../db/vault.ts'
import { Problem } from '../errors/problem.ts'
import { type Rendered, render } from '../mail/render.ts'
import { languageOf } from './mail.ts'
import { openLetter } from './mail-sending.ts'

type Outbox = { readonly pool: Pool; readonly vault: Vault; readonly publicUrl: string }

const pageSize = 30

type Head = { id: number; to: string; subject: string; language: string; created_at: string }
type Row = { id: number; recipient: string; language: string; sealed: Buffer | null; created_at: string }

/** A row as it is shown; nothing when what the letter says is gone. */
function shown({ vault, publicUrl }: Outbox, row: Row): (Head & Rendered)[] {
  if (row.sealed === null) return []
  const language = languageOf(row.language)
  const rendered = render(openLetter(vault, row.sealed), language, publicUrl)
  return [{ id: row.id, to: row.recipient, language, created_at: row.created_at, ...rendered }]
}

const letters = ({ pool }: Outbox) =>
  pool.kysely
    .selectFrom('outbox_letters')
    .select(['id', 'recipient', 'language', 'sealed', 'created_at'])
    .where('sealed', 'is not', null)

/** The letters before an id, or the newest, and whether there are more. */
export async function readOutbox(
  outbox: Outbox,
  before: number | undefined,
): Promise<{ letters: Head[]; more: boolean }> {
  const rows = await letters(outbox)
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(pageSize + 1)
    .execute()
  return {
    letters: rows.slice(0, pageSize).flatMap((row) => shown(outbox, row)),
    more: rows.length > pageSize,
  }
}

/** One letter with all that it says. `not_found` when there is none, or when what it says is gone. */
export async function readLetter(outbox: Outbox, id: number): Promise<Head & Rendered> {
  const row = await letters(outbox).where('id', '=', id).executeTakeFirst()
  const [letter] = row ? shown(outbox, row) : []
  if (!letter) throw new Problem('not_found', `There is no letter ${id}.`)
  return letter
}
