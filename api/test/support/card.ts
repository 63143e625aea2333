import { randomUUID } from 'node:crypto'
import { base } from '@portico/contract/wire.ts'
import type { Account } from './account.ts'
import { makeAccount } from './account.ts'
import type { Answer } from './answer.ts'
import { makeBuyer } from './documents.ts'
import type { TestPortal, Visitor } from './portal.ts'

/** A POST with a key of its own, or with the one that is given. */
export function keyed(
  visitor: Visitor,
  url: string,
  body: unknown,
  key: string = randomUUID(),
): Promise<Answer> {
  return visitor.call('POST', url, { body, headers: { 'idempotency-key': key } })
}

const document = (type: string, attributes: object, relationships?: object) => ({
  data: { type, attributes, ...(relationships && { relationships }) },
})

/** Types a card number into the sandbox's form and returns the answer. */
export async function typeCard(
  portal: TestPortal,
  setup: Answer,
  number: string,
  expiry = '12/40',
): Promise<{ status: number; json: Record<string, unknown> }> {
  const { provider_ref, client_secret } = setup.one.attributes ?? {}
  const answer = await portal.app.inject({
    method: 'POST',
    url: `/api/sandbox/setup-intents/${String(provider_ref)}/card`,
    payload: { client_secret, number, expiry, cvc: '123' },
  })
  return { status: answer.statusCode, json: answer.json() }
}

export const requestCard = (visitor: Visitor, attributes: object = {}, key?: string): Promise<Answer> =>
  keyed(visitor, `${base}/stripe-setup-intents`, document('stripe-setup-intents', attributes), key)

/** Answers the page of the sandbox's bank as a person does, and returns where it leads. */
export async function answerBank(portal: TestPortal, url: unknown, answer: 'yes' | 'no'): Promise<string> {
  const { pathname } = new URL(String(url))
  const page = await portal.app.inject({ url: pathname })
  if (page.statusCode !== 200) throw new Error(`${pathname} answered ${page.statusCode}`)
  const sent = await portal.app.inject({
    method: 'POST',
    url: pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: `answer=${answer}`,
  })
  return sent.headers.location ?? ''
}

/** Adds a test card the whole way that a person goes; returns its id. */
export async function addCard(
  portal: TestPortal,
  client: { readonly id: number },
  number = '4242 4242 4242 4242',
  expiry = '12/40',
): Promise<number> {
  const me = portal.as(client)
  const setup = await requestCard(me)
  const typed = await typeCard(portal, setup, number, expiry)
  if (typed.json.challenge_url) await answerBank(portal, typed.json.challenge_url, 'yes')
  const confirmed = await me.post(`${base}/stripe-setup-intents/${setup.one.id}/-actions/confirm`, {})
  const { card_id } = JSON.parse(confirmed.text)
  if (typeof card_id !== 'number') throw new Error(`The card was not added: ${confirmed.text}`)
  return card_id
}

/** Begins a payment. */
export function pay(
  visitor: Visitor,
  attributes: { purpose?: string; net?: number; invoice_id?: number; client_id?: number },
  more: { card?: number; key?: string } = {},
): Promise<Answer> {
  const relationships = more.card && { card: { data: { type: 'cards', id: String(more.card) } } }
  const body = document('transactions', { purpose: 'deposit', ...attributes }, relationships || undefined)
  return keyed(visitor, `${base}/transactions`, body, more.key)
}

/** An account that documents can be made out to. */
export async function makePayer(
  portal: TestPortal,
  balance: string | null = null,
  { currency, ...more }: Parameters<typeof makeBuyer>[2] & { currency?: string } = {},
): Promise<Account> {
  const opening = balance === null ? null : { balance, credit: '0', on: '2026-01-01' }
  const account = await makeAccount(portal.pool, {
    projects: 1,
    panels: 1,
    opening,
    ...(currency && { currency }),
  })
  await makeBuyer(portal.pool, account, more)
  return account
}
