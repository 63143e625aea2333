import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Connection } from '../../api/src/platform/db/connection.ts'
import { Pool } from '../../api/src/platform/db/pool.ts'
import { makeBuyer, makeOperator } from '../../api/test/support/documents.ts'
import { giveAccounts } from '../support/accounts.ts'
import { fill } from '../support/database.ts'
import { signIn } from '../support/portal.ts'

/** The people of the traffic: one has workspaces, the others pay by card. */
export type People = {
  readonly owner: string
  readonly payers: readonly { readonly id: number; readonly email: string }[]
}
export type Tokens = { readonly owner: string; readonly payers: readonly string[] }

// Deposits of one account wait for each other.
const payers = Array.from({ length: 10 }, (_, n) => `client${n + 2}@bench.test`)

/** Makes the people of the traffic, by statements that an older schema takes too. */
export async function makePeople(connection: Connection): Promise<People> {
  const owner = 'client1@bench.test'
  await fill(connection, 40 * (payers.length + 1))
  await giveAccounts(connection, [owner, ...payers])
  const pool = new Pool(connection, 1, () => undefined)
  try {
    await makeOperator(pool)
    const { rows } = await sql<{ id: number; email: string }>`
      with made as (insert into client_entities (client_id, account_type)
        select id, 1 from clients where email = any(${payers}) returning client_id)
      select id, email from clients join made on made.client_id = id order by id`.execute(pool.kysely)
    for (const payer of rows) await makeBuyer(pool, payer)
    return { owner, payers: rows }
  } finally {
    await pool.close()
  }
}

/** Signs in; a busy portal asks to try again. */
async function insist(url: string, email: string): Promise<string> {
  for (let left = 20; ; left--) {
    try {
      return await signIn({ url }, email)
    } catch (error) {
      if (left === 0 || !(error instanceof Error && error.message.includes('503'))) throw error
      await sleep(1000)
    }
  }
}

export async function signInAll(url: string, people: People): Promise<Tokens> {
  const tokens: string[] = []
  for (const { email } of people.payers) tokens.push(await insist(url, email))
  return { owner: await insist(url, people.owner), payers: tokens }
}

/** Enters a card that pays at once for each payer, as a person does in the form of the sandbox. */
export async function enterCards(url: string, tokens: Tokens): Promise<void> {
  const base = '/api/v1/stripe-setup-intents'
  for (const token of tokens.payers) {
    const post = async (path: string, body: object, type = 'application/vnd.api+json') => {
      const key = { 'idempotency-key': randomUUID() }
      const headers = { authorization: `Bearer ${token}`, 'content-type': type, ...key }
      const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
      return answer.json()
    }
    const { data } = await post(base, { data: { type: 'stripe-setup-intents', attributes: {} } })
    const { provider_ref, client_secret } = data.attributes
    const card = { client_secret, number: '4242 4242 4242 4242', expiry: '12/40', cvc: '123' }
    await post(`/api/sandbox/setup-intents/${provider_ref}/card`, card, 'application/json')
    await post(`${base}/${data.id}/-actions/confirm`, {})
  }
}
