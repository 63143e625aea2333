import { m } from '../web/src/texts/compiled/messages.js'
import { expect, openDashboard, signIn, test } from './fixtures.ts'

test('a part that fails to load is loaded by a full load of the target, once', async ({
  page,
  complaints,
}) => {
  await openDashboard(page)
  let documents = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents += 1
  })
  let failing = true
  await page.route('**/assets/tickets-*.js', (route) => (failing ? route.abort() : route.continue()))
  await page.getByRole('button', { name: /^Account menu/ }).click()
  // The first load of a document is the remedy, so from then on the file is there.
  page.on('domcontentloaded', () => {
    failing = false
  })
  await page.getByRole('menuitem', { name: 'Tickets' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Tickets' })).toBeVisible()
  await expect(page).toHaveURL('/tickets')
  expect(documents).toBe(1)
  complaints.length = 0
})

test('a second failure shows the error page instead of loading for ever', async ({ page, complaints }) => {
  await openDashboard(page)
  let documents = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents += 1
  })
  await page.route('**/assets/tickets-*.js', (route) => route.abort())
  await page.getByRole('button', { name: /^Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Tickets' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Something went wrong' })).toBeVisible()
  expect(documents).toBe(1)
  complaints.length = 0
})

test('an expired token is refreshed once for many calls, and each is repeated once', async ({ page }) => {
  await signIn(page)
  const refreshes: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/auth/token')) refreshes.push(request.url())
  })
  const cookies = await page.context().cookies()
  const token = cookies.find(({ name }) => name === 'token')
  if (!token) throw new Error('There is no token.')
  await page.context().addCookies([{ ...token, value: `${token.value}x` }])
  await page.goto('/')
  await expect(page.getByRole('article', { name: 'web-eu1' })).toBeVisible()
  expect(refreshes).toHaveLength(1)
})

test('two tabs with an expired token share one refresh', async ({ page, context }) => {
  await signIn(page)
  const other = await context.newPage()
  const refreshes: string[] = []
  context.on('request', (request) => {
    if (request.url().includes('/auth/token')) refreshes.push(request.url())
  })
  const token = (await context.cookies()).find(({ name }) => name === 'token')
  if (!token) throw new Error('There is no token.')
  await context.addCookies([{ ...token, value: `${token.value}x` }])
  await Promise.all([page.goto('/'), other.goto('/')])
  await expect(page.getByRole('article', { name: 'web-eu1' })).toBeVisible()
  await expect(other.getByRole('article', { name: 'web-eu1' })).toBeVisible()
  expect(refreshes).toHaveLength(1)
})

test('a session that was ended in another place leads to sign-in and back', async ({ page, context }) => {
  await signIn(page)
  const token = (await context.cookies()).find(({ name }) => name === 'token')
  if (!token) throw new Error('There is no token.')
  await context.clearCookies()
  await context.addCookies([{ ...token, value: 'gone' }])
  await page.goto('/usages')
  await expect(page).toHaveURL('/login?next=%2Fusages')
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('token')
})

test('without an answer of ours a person sees the id that the call brought, which the log has', async ({
  page,
  complaints,
}) => {
  await signIn(page)
  const traces: string[] = []
  await page.route('**/api/v1/tickets?*', (route) => {
    const [, trace = '', , flags] = route.request().headers().traceparent?.split('-') ?? []
    expect([trace, flags]).toEqual([expect.stringMatching(/^[\da-f]{32}$/), '00'])
    traces.push(trace)
    // As a proxy answers whose portal is away.
    return route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' })
  })
  await page.goto('/tickets')
  const retry = page.getByRole('button', { name: m.retry() })
  await expect(retry).toBeVisible()
  const shown = page.getByRole('alert').filter({ has: retry })
  const lastShown = async () =>
    (await shown.textContent())?.includes(m.error_request({ id: traces.at(-1) ?? '' }))
  expect(await lastShown()).toBe(true)
  const before = traces.length
  await retry.click()
  await expect.poll(() => traces.length).toBeGreaterThan(before)
  await expect.poll(lastShown).toBe(true)
  expect(new Set(traces).size).toBe(traces.length)
  complaints.length = 0
})
