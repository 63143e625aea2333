import type { askedVerbs } from '@portico/contract/rules/asked-verbs.ts'
import { type RawBuilder, sql } from 'kysely'
import { clientName } from '#desk/money/client-name.ts'
import type { Database } from '#platform/db/pool.ts'

type AboutType = (typeof askedVerbs)[keyof typeof askedVerbs]['type']
type About = { readonly about: string; readonly client_id: number | null }

/** The name of a row, and the client that it concerns. */
const named: Readonly<Record<AboutType, (id: number) => RawBuilder<About>>> = {
  'desk-clients': (id) =>
    sql`select ${clientName(sql`${id}`)} || ' · ' || email as about, id as client_id from clients where id = ${id}`,
  invoices: (id) =>
    sql`select full_number || ' · ' || ${clientName(sql`client_id`)} as about, client_id from invoices where id = ${id}`,
  transactions: (id) =>
    sql`select '#' || id || ' · ' || ${clientName(sql`client_id`)} as about, client_id from payments where id = ${id}`,
  'desk-staff': (id) =>
    sql`select display_name || ' · ' || email as about, null::int8 as client_id from admins where id = ${id}`,
  'desk-limits': (id) =>
    sql`select role || ' · ' || verb as about, null::int8 as client_id from staff_limits where id = ${id}`,
}

type Subject = {
  readonly type: AboutType
  readonly ref: string | null
  readonly input: Readonly<Record<string, unknown>>
}

/** The subject of a request. The row was found when the verb was tried; a verb that makes its row is about who is named in it. */
export async function aboutOf(tx: Database, { type, ref, input }: Subject): Promise<About> {
  if (ref === null) return { about: String(input.email), client_id: null }
  const { rows } = await named[type](Number(ref)).execute(tx)
  const [found] = rows
  if (!found) throw new Error(`${type} ${ref} was tried and is not there.`)
  return found
}
