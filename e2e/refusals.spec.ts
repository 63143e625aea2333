import type { Page } from '@playwright/test'
import { m } from '../web/src/texts/compiled/messages.js'
import { ana, expect, openDashboard, signIn, test } from './fixtures.ts'

async function fillIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel(m.email(), { exact: true }).fill(email)
  await page.getByLabel(m.password(), { exact: true }).fill(password)
  await page.getByRole('button', { name: m.login_email() }).click()
}

test('after a refusal the e-mail is still there, and the cursor is where one goes on', async ({ page }) => {
  await page.goto('/login')
  await fillIn(page, ana, 'not-the-password')
  await expect(page.getByRole('alert')).toHaveText(m.login_refused())
  await expect(page.getByLabel(m.email(), { exact: true })).toHaveValue(ana)
  await expect(page.getByLabel(m.password(), { exact: true })).toBeFocused()
})

test('a token is worth nothing once its person has signed out', async ({ page }) => {
  await openDashboard(page)
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value
  const headers = { authorization: `Bearer ${token}` }
  const asStranger = { headers: { ...headers, cookie: '' } }
  expect((await page.request.get('/api/user', asStranger)).status()).toBe(200)
  await page.getByRole('button', { name: /Account menu of/ }).click()
  await page.getByRole('menuitem', { name: m.sign_out() }).click()
  await expect(page).toHaveURL('/login')
  expect((await page.request.get('/api/user', asStranger)).status()).toBe(401)
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('refreshToken')
})

/** Makes the token of this browser one that the server no longer takes, as after its ten minutes. */
async function expireToken(page: Page): Promise<void> {
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')
  if (!token) throw new Error('There is no token.')
  await page.context().addCookies([{ ...token, value: `${token.value}x` }])
}

test('a token that ends while one works is renewed once for all calls, and each is repeated once', async ({
  page,
}) => {
  await openDashboard(page)
  await expect(page.getByRole('article', { name: 'web-eu1' })).toBeVisible()
  const refreshes: string[] = []
  const answers = new Map<string, number[]>()
  page.on('response', (response) => {
    const { pathname, search } = new URL(response.url())
    if (pathname === '/auth/token') refreshes.push(pathname)
    const call = pathname + search
    if (pathname.startsWith('/api/')) answers.set(call, [...(answers.get(call) ?? []), response.status()])
  })
  await expireToken(page)
  // Two lists and a panel are asked for at once.
  await page.getByRole('link', { name: 'web-eu1', exact: true }).click()
  await expect(page.getByRole('table', { name: 'Single Servers' })).toBeVisible()
  await expect(page.getByRole('rowheader').first()).toBeVisible()
  expect(refreshes).toHaveLength(1)
  for (const statuses of answers.values())
    expect(statuses.filter((status) => status === 401).length).toBeLessThan(2)
  expect([...answers.values()].flat()).toContain(401)
})

test('a call that is refused again after the renewal is not tried for ever', async ({ page }) => {
  await signIn(page)
  const calls: string[] = []
  await page.route('**/api/user', (route) => {
    calls.push(route.request().url())
    return route.fulfill({ status: 401, json: { errors: [{ status: '401', detail: 'No.' }] } })
  })
  await page.goto('/tickets')
  await expect(page).toHaveURL('/login?next=%2Ftickets')
  expect(calls).toHaveLength(2)
})

test('a list that the server cannot give says so with the number of the request, and Retry brings it', async ({
  page,
}) => {
  await signIn(page)
  const failure = { errors: [{ id: 'req-7f3a', status: '500', code: 'internal', detail: 'The list broke.' }] }
  await page.route('**/api/v1/projects?*', (route) => route.fulfill({ status: 500, json: failure }))
  await page.goto('/')
  // It is tried three times before anybody is troubled.
  const dialog = page.getByRole('dialog', { name: 'Update Projects error' })
  await expect(dialog).toContainText('The list broke.')
  await dialog.getByRole('button', { name: m.close() }).last().click()
  const alert = page.getByRole('alert')
  await expect(alert).toContainText(m.load_failed())
  await expect(alert).toContainText('The list broke.')
  await expect(alert).toContainText('req-7f3a')
  await page.unroute('**/api/v1/projects?*')
  await alert.getByRole('button', { name: m.retry() }).click()
  await expect(page.getByRole('article', { name: 'web-eu1' })).toBeVisible()
})
