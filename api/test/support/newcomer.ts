import { randomUUID } from 'node:crypto'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import type { Pool } from '#platform/db/pool.ts'
import type { TestApp } from './app.ts'
import { newestLetter } from './mail.ts'
import { Browser, password } from './people.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every form, and say what they expect of them.
type Json = any

/** A response of the data API. */
export type Said = { readonly status: number; readonly json: Json; readonly codes: readonly string[] }

/** A person who registered and calls the data API. */
export type Newcomer = {
  readonly id: number
  readonly email: string
  readonly browser: Browser
  readonly get: (path: string) => Promise<Said>
  readonly send: (method: 'POST' | 'PATCH', path: string, body: object) => Promise<Said>
  /** Says who is billed, as the form after the sign-up does. */
  readonly tell: (country: string | null, more?: object) => Promise<Said>
}

const reading = ({ statusCode, body }: { statusCode: number; body: string }): Said => {
  const json: Json = body === '' ? undefined : JSON.parse(body)
  return { status: statusCode, json, codes: (json?.errors ?? []).map(({ code }: { code: string }) => code) }
}

const mediaType = 'application/vnd.api+json'

/** Offers accounts in further currencies, at the prices of the one that there is. */
export async function offerCurrencies(pool: Pool, ...codes: readonly string[]): Promise<void> {
  for (const code of codes)
    await sql`with list as (
        insert into price_lists (code, currency, is_default) values (${code.toLowerCase()}, ${code}, true) returning id)
      insert into prices (price_list_id, meter_id, valid, unit_price)
      select list.id, p.meter_id, p.valid, p.unit_price from list, prices p join price_lists l on l.id = p.price_list_id
      where l.code = 'standard'`.execute(pool.kysely)
}

/** Registers, follows the link of the letter, and signs in. */
export async function signUp({ app }: TestApp, pool: Pool, email: string): Promise<Newcomer> {
  const browser = new Browser(app)
  const payload = { first_name: 'Ilie', last_name: 'Rus', email, password, terms: true }
  await browser.ask({ method: 'POST', url: '/auth/register', payload })
  await browser.get(`/auth${(await newestLetter(pool, email, 'verify-email')).link}`)
  await browser.signIn(email)
  const { id } = (await browser.get('/api/user')).json()
  const ask = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
    browser.ask({
      method,
      url: `${base}/${path}`,
      headers: {
        authorization: `Bearer ${browser.cookies.get('token')}`,
        accept: mediaType,
        ...(body && { 'content-type': mediaType, 'idempotency-key': randomUUID() }),
      },
      ...(body && { payload: JSON.stringify(body) }),
    })
  const get: Newcomer['get'] = async (path) => reading(await ask('GET', path))
  const send: Newcomer['send'] = async (method, path, body) => reading(await ask(method, path, body))
  const idOf = async (table: 'countries' | 'counties', code: string) => {
    const { rows } = await sql<{
      id: number
    }>`select id from ${sql.table(table)} where code = ${code}`.execute(pool.kysely)
    return rows[0]?.id ?? null
  }
  const tell: Newcomer['tell'] = async (country, more = {}) =>
    send('POST', 'register-details', {
      data: {
        type: 'register-details',
        attributes: {
          first_name: 'Ilie',
          last_name: 'Rus',
          account_type: 2,
          address1: 'Strada Lungă 12',
          city: 'Dej',
          zip_code: '405200',
          country_id: country && (await idOf('countries', country)),
          county_id: country === 'RO' ? await idOf('counties', 'RO-CJ') : null,
          terms_version: '2026-01',
          marketing_consent: false,
          source: 'email',
          ...more,
        },
      },
    })
  return { id, email, browser, get, send, tell }
}
