import { phoneNumber } from '@portico/contract/fields.ts'
import { defaultPermissions } from '@portico/contract/permission-defaults.ts'
import { projects } from '@portico/contract/resources/projects.ts'
import { pickers } from '@portico/contract/rules/pickers.ts'
import { expect, vi } from 'vitest'
import * as z from 'zod/mini'
import type { Pool } from '../../api/src/platform/db/pool.ts'
import type { TestApp } from '../../api/test/support/app.ts'
import { testApp } from '../../api/test/support/app.ts'
import { Browser } from '../../api/test/support/people.ts'
import { languages } from '../../web/src/stores/language.ts'
import { m } from '../../web/src/texts/compiled/messages.js'
import { speakAs } from '../../web/src/texts/locale.ts'
import { money } from '../../web/src/ui/format.ts'
import { beBrowser } from './browser.ts'
import { signIn } from './people.ts'

/** The sources to search for a constant. */
export type Around = {
  readonly app: TestApp['app']
  readonly pool: Pool
}

type Constant = { readonly name: string; readonly holds: (around: Around) => Promise<unknown> }

const accepts = (schema: z.ZodMiniType, value: unknown) => z.safeParse(schema, value).success

/** The rules for accounts in dollars. */
const policyOf = ({ kysely }: Pool) =>
  kysely
    .selectFrom('currencies as c')
    .innerJoin('currency_policies as q', 'q.currency_id', 'c.id')
    .innerJoin('billing_policies as p', (join) => join.onTrue())
    .select(['p.warn_days', 'q.warn_below'])
    .where('c.code', '=', 'USD')
    .executeTakeFirstOrThrow()

const rules: readonly Constant[] = [
  {
    name: 'Workspace name max 16 characters',
    holds: async () => {
      const { name } = projects.attributes
      expect([accepts(name, 'x'.repeat(16)), accepts(name, 'x'.repeat(17))]).toEqual([true, false])
    },
  },
  {
    name: 'Balance warning: combined balance below -3',
    holds: async ({ pool }) => expect(Number((await policyOf(pool)).warn_below)).toBe(-3),
  },
  {
    name: 'Balance warning: negative days 15 or more',
    holds: async ({ pool }) => expect((await policyOf(pool)).warn_days).toBe(15),
  },
  {
    name: 'Money shown with two decimals, US format',
    holds: async () => expect([money(1234.5, 'USD'), money(-3.2, 'USD')]).toEqual(['$1,234.50', '-$3.20']),
  },
  {
    name: 'Recharge and threshold amounts are in dollars; VAT is added on top',
    holds: async ({ app }) => {
      const ana = new Browser(app)
      await signIn(ana, 'ana')
      const payload = encodeURIComponent(JSON.stringify({ purpose: 'deposit', amount: 50 }))
      const quote = (await ana.get(`/api/v1/transactions/-actions/quote?payload=${payload}`)).json()
      expect(quote).toMatchObject({ currency: 'USD', net: 50, vat: 10.5, gross: 60.5 })
    },
  },
  {
    name: 'Date picker: years 1900 to 2100, week starts Monday, minute and second steps of 5',
    holds: async () => {
      const { dayTyped } = await import('../../web/src/components/dates/typed.ts')
      expect(pickers).toEqual({
        firstYear: 1900,
        lastYear: 2100,
        weekStart: 1,
        minuteStep: 5,
        secondStep: 5,
      })
      const ends = ['1899-12-31', '1900-01-01', '2100-12-31', '2101-01-01']
      expect(ends.map((day) => dayTyped(day, 'en'))).toEqual([undefined, ends[1], ends[2], undefined])
    },
  },
  {
    name: 'Permission defaults: all denied but my_workspaces; resources all; no workspaces',
    holds: async () =>
      expect(defaultPermissions).toMatchObject({
        billing: 'denied',
        tickets: 'denied',
        add_panels: 'denied',
        delete_panels: 'denied',
        my_workspaces: 'allowed',
        workspace_resources: 'all',
        workspaces: [],
      }),
  },
]

/** The cookies of a sign-in where the portal has a host below a domain. */
async function cookiesOf(pool: Pool) {
  const env = { seed: 'demo', publicUrl: 'http://portal.example.com', rateLimitScale: 1000 } as const
  const { app } = await testApp(pool, { env })
  const { cookies } = await signIn(new Browser(app), 'hans')
  return cookies.filter(({ name }) => name === 'token' || name === 'refreshToken')
}

const storage: readonly Constant[] = [
  {
    name: 'Locales: en (fallback), ro',
    holds: async () => {
      expect(languages).toEqual(['en', 'ro'])
      speakAs(() => 'de')
      expect(m.sign_out()).toBe('Sign out')
      speakAs(() => 'ro')
      expect(m.sign_out()).toBe('Deconectare')
      speakAs(() => 'en')
    },
  },
  {
    name: 'Cookies token and refreshToken, shared across the parent domain, path /, 1 day, lax, not secure',
    holds: async ({ pool }) => {
      const cookies = await cookiesOf(pool)
      expect(cookies.map(({ name }) => name)).toEqual(['token', 'refreshToken'])
      for (const cookie of cookies) {
        expect(cookie).toMatchObject({ domain: 'example.com', path: '/', maxAge: 86_400, sameSite: 'Lax' })
        // Secure under https; over plain http a browser would not send them back.
        expect(cookie.secure).toBeUndefined()
      }
    },
  },
  {
    name: 'Invite token in local storage under invite_token',
    holds: async ({ app }) => {
      const around = beBrowser(app)
      const { inviteToken } = await import('../../web/src/stores/session.ts')
      inviteToken.set('a token')
      expect(around.storage.getItem('invite_token')).toBe('a token')
      inviteToken.remove()
      expect(around.storage.length).toBe(0)
    },
  },
  {
    name: 'Stored preference darkMode (1 or 0 in local storage)',
    holds: async ({ app }) => {
      const around = beBrowser(app)
      const { colorSchemeManager } = await import('../../web/src/stores/theme.ts')
      const manager = colorSchemeManager()
      const written = (['dark', 'light'] as const).map((value) => {
        manager.set(value)
        return around.storage.getItem('darkMode')
      })
      expect(written).toEqual(['1', '0'])
    },
  },
  {
    name: 'One refresh and one retry per request after a 401',
    holds: async ({ app }) => {
      const around = beBrowser(app)
      around.cookie = 'token=of-nobody'
      const { http } = await import('../../web/src/api/http.ts')
      await expect(http('/api/user')).rejects.toMatchObject({ status: 401 })
      expect(around.asked).toEqual(['GET /api/user', 'GET /auth/token'])
      const browser = new Browser(app)
      await signIn(browser, 'hans')
      around.asked.length = 0
      around.refreshing = browser
      await expect(http('/api/user')).resolves.toMatchObject({ email: 'hans@demo.test' })
      expect(around.asked).toEqual(['GET /api/user', 'GET /auth/token', 'GET /api/user'])
    },
  },
]

const lookUp = 'https://ip2c.org/self'

/** The client's result for an answer of the public look-up; a new client each time, because it asks once. */
async function countryFrom(app: TestApp['app'], answer: string) {
  const around = beBrowser(app)
  around.elsewhere.set(lookUp, answer)
  vi.resetModules()
  const { countryOfAddress } = await import('../../web/src/components/phone/default-country.ts')
  return countryOfAddress()
}

const phone: readonly Constant[] = [
  {
    name: 'Phone: max length 25, minimum 2 digits',
    holds: async () => {
      const tried = ['+40 21 555 0134', '12', '1', `+${'1'.repeat(24)}`, `+${'1'.repeat(25)}`]
      expect(tried.map((text) => accepts(phoneNumber, text))).toEqual([true, true, false, true, false])
    },
  },
  {
    name: 'Phone: extension allowed (up to 20 digits)',
    holds: async () => {
      const tried = ['+40 21 555 0134 x1234', '12 x12345678901234567890', '12 x']
      expect(tried.map((text) => accepts(phoneNumber, text))).toEqual([true, true, false])
    },
  },
  {
    name: 'Country look-up: the first character must be 1, characters 3 to 4 are the code',
    holds: async ({ app }) => expect(await countryFrom(app, '1;RO;ROU;Romania')).toBe('RO'),
  },
  {
    name: 'Country look-up: anything else is "unable to fetch the country"',
    holds: async ({ app }) => {
      const complaint = vi.spyOn(console, 'error').mockImplementation(() => undefined)
      expect(await countryFrom(app, '0;;;')).toBeUndefined()
      expect(complaint.mock.calls).toEqual([['unable to fetch the country']])
      complaint.mockRestore()
    },
  },
  {
    name: 'A payment-style field formats as MM/YY',
    holds: async () => {
      const { expiryAsTyped } = await import('../../web/src/components/new-card/card-text.ts')
      expect(expiryAsTyped('1228', '122')).toBe('12/28')
    },
  },
]

/** Each required constant and limit, with the proof that it holds. */
export const constants: readonly Constant[] = [...rules, ...storage, ...phone]
