import { test as base, expect, type Page } from '@playwright/test'
import { nameBrand } from '../web/src/texts/brand.ts'

// The demo has the brand of its company.
nameBrand('Carpat Cloud')

export const password = 'portico-demo'
export const ana = 'ana@demo.test'

/** Signs in without the sign-in page, for specs that are about something else. */
export async function signIn(page: Page, email = ana): Promise<void> {
  const answer = await page.request.post('/auth/login', { data: { email, password } })
  expect(answer.status()).toBe(200)
  const { code } = await answer.json()
  expect((await page.request.get(`/auth/callback?code=${code}`)).status()).toBe(200)
  await chooseLanguage(page)
}

/** Remembers the browser's own language as the chosen one, where none is: else the account's would count. */
async function chooseLanguage(page: Page): Promise<void> {
  const cookies = await page.context().cookies()
  if (cookies.some(({ name }) => name === 'lang')) return
  const value = (await page.evaluate(() => navigator.language)).slice(0, 2)
  await page.context().addCookies([{ name: 'lang', value, url: process.env.PORTAL_URL ?? '' }])
}

/** Signed in as Ana, on the dashboard, everything loaded. */
export async function openDashboard(page: Page, email = ana): Promise<void> {
  await signIn(page, email)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'My Workspace' })).toBeVisible()
}

/** Opens a tab of the page. */
export const openTab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()

/** The messages in a page's console; every spec fails on an unexpected one. */
type Complaints = { complaints: string[] }

export const test = base.extend<Complaints>({
  // The address is only known once the portal runs.
  // biome-ignore lint/correctness/noEmptyPattern: a fixture must name what it uses, and this one uses nothing.
  baseURL: async ({}, use) => use(process.env.PORTAL_URL),
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => {
        // The browser itself reports answers above 399; the specs look at those where they matter.
        if (message.type() === 'error' && !/^Failed to load resource/.test(message.text()))
          complaints.push(message.text())
      })
      await use(complaints)
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }
