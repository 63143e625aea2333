import type { Page } from '@playwright/test'
import { ana, expect, password, signIn, test } from './fixtures.ts'

test('a person signs in with e-mail and password and lands on the dashboard', async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('E-mail', { exact: true }).fill(ana)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in with e-mail' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'My Workspace' })).toBeVisible()
  await expect(page).toHaveURL('/')
})

test('a wrong password and an unknown e-mail get the same sentence', async ({ page }) => {
  for (const [email, wrong] of [
    [ana, 'not-the-password'],
    ['nobody@demo.test', password],
  ] as const) {
    await page.goto('/login')
    await page.getByLabel('E-mail', { exact: true }).fill(email)
    await page.getByLabel('Password', { exact: true }).fill(wrong)
    await page.getByRole('button', { name: 'Sign in with e-mail' }).click()
    await expect(page.getByRole('alert')).toHaveText('The e-mail or password is wrong.')
    expect(page.url()).not.toContain(wrong)
  }
})

test('the password can be shown', async ({ page }) => {
  await page.goto('/login')
  const field = page.getByLabel('Password', { exact: true })
  await field.fill('secret')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(field).toHaveAttribute('type', 'text')
})

test('a demo lists its people, one click each', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: /Hans Becker/ }).click()
  await expect(page.getByRole('button', { name: 'Account menu of Hans Becker' })).toBeVisible()
})

test('Google is not offered where it is not set up', async ({ page }) => {
  const asked = page.waitForResponse('**/auth/config')
  await page.goto('/login')
  expect((await (await asked).json()).google).toBe(false)
  await expect(page.getByText('Sign in with Google')).toHaveCount(0)
})

test('the sign-in page links to the terms, the privacy policy and registration', async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByRole('link', { name: 'Terms of Service' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Privacy Policy' })).toBeVisible()
  await page.getByRole('tab', { name: 'Create account' }).click()
  await expect(page.getByLabel('First name')).toBeVisible()
})

/** Presses the button although it says that it cannot be used yet, as a person may, and again when nothing happens. */
async function pressEarly(page: Page): Promise<void> {
  const box = await page.getByRole('button', { name: 'Sign in with e-mail' }).boundingBox()
  if (box === null) throw new Error('The button is not on the page.')
  await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2)
}

/** Lets scripts arrive only when the returned function is called. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/*.js', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

test('a tab, a link and a language that are pressed before the app runs open when it does', async ({
  page,
}) => {
  const arrive = await holdScripts(page)
  await page.goto('/login', { waitUntil: 'commit' })
  await page.getByRole('tab', { name: 'Create account' }).click()
  arrive()
  await expect(page.getByLabel('First name')).toBeVisible()
  const address = await holdScripts(page)
  await page.goto('/register?email=elena%40example.com', { waitUntil: 'commit' })
  await page.getByRole('link', { name: 'Create account with e-mail' }).click()
  address()
  await expect(page.getByLabel('E-mail', { exact: true })).toHaveValue('elena@example.com')
  const again = await holdScripts(page)
  await page.goto('/prices', { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Română' }).click()
  again()
  await expect(page.getByRole('heading', { level: 1, name: 'Prețuri' })).toBeVisible()
})

test('without scripts the form sends nothing', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL && { baseURL }) })
  const page = await context.newPage()
  await page.goto('/login')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest() || request.method() === 'POST') sent.push(request.url())
  })
  await page.getByLabel('E-mail', { exact: true }).fill(ana)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Password', { exact: true }).press('Enter')
  await pressEarly(page)
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(password)
  expect(sent).toEqual([])
  await context.close()
})

test('input before the app runs stays, and an early press sends nothing until it does', async ({ page }) => {
  const arrive = await holdScripts(page)
  const documents: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest() || request.method() === 'POST') documents.push(request.method())
  })
  await page.goto('/login', { waitUntil: 'commit' })
  await page.getByLabel('E-mail', { exact: true }).fill(ana)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Password', { exact: true }).press('Enter')
  await pressEarly(page)
  expect(documents).toEqual(['GET'])
  arrive()
  await expect(page.getByRole('heading', { level: 1, name: 'My Workspace' })).toBeVisible()
})

test('a protected page sends to sign-in and comes back afterwards', async ({ page }) => {
  await page.goto('/tickets?status=open')
  await expect(page).toHaveURL(/\/login\?next=/)
  await page.getByLabel('E-mail', { exact: true }).fill(ana)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in with e-mail' }).click()
  await expect(page).toHaveURL('/tickets?status=open')
  await expect(page.getByRole('heading', { level: 1, name: 'Tickets' })).toBeVisible()
})

test('an address of another site to go to afterwards leads nowhere but home', async ({ page, baseURL }) => {
  for (const foreign of ['https://evil.test/', '//evil.test/', '/\\evil.test/', 'javascript:alert(1)']) {
    await page.goto(`/login?next=${encodeURIComponent(foreign)}`)
    await page.getByRole('button', { name: /Ana Marin/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'My Workspace' })).toBeVisible()
    expect(new URL(page.url()).origin, foreign).toBe(baseURL)
    await page.context().clearCookies()
  }
})

test('a code that is no code ends at the sign-in page with the seed’s sentence', async ({
  page,
  complaints,
}) => {
  await page.goto('/login')
  await page.evaluate(() => localStorage.setItem('invite_token', 'abc'))
  await page.goto('/callback?code=forged')
  await expect(page).toHaveURL(/\/login/)
  const alert = page.getByRole('alert')
  await expect(alert.getByText('An error has occured', { exact: true })).toBeVisible()
  await expect(alert.getByText('This sign-in has expired or was already used. Sign in again.')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('invite_token'))).toBeNull()
  // The refusal is logged, and nothing else is.
  expect(complaints.splice(0)).toHaveLength(1)
})

test('signing out ends at sign-in, and the way back is closed', async ({ page }) => {
  await signIn(page)
  await page.goto('/')
  await page.getByRole('button', { name: /^Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/login')
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('token')
  await page.goto('/')
  await expect(page).toHaveURL('/login')
})
