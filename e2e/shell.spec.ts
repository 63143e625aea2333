import { m } from '../web/src/texts/compiled/messages.js'
import { api } from './api.ts'
import { inDatabase } from './database.ts'
import { expect, openDashboard, signIn, test } from './fixtures.ts'
import { newcomer, newcomerWithPanel } from './newcomer.ts'

test.describe('theme', () => {
  for (const [stored, system, expected] of [
    ['1', 'light', 'dark'],
    ['0', 'dark', 'light'],
    [null, 'dark', 'dark'],
    [null, 'light', 'light'],
  ] as const) {
    test(`stored ${stored} on a ${system} system is ${expected} from the first paint`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: system })
      await page.addInitScript((value) => {
        if (value !== null) localStorage.setItem('darkMode', value)
        // Records every value of the attribute since the page's own script, in order.
        const seen: (string | null)[] = []
        Object.assign(window, { seen })
        new MutationObserver(() =>
          seen.push(document.documentElement.getAttribute('data-mantine-color-scheme')),
        ).observe(document, {
          attributes: true,
          subtree: true,
          attributeFilter: ['data-mantine-color-scheme'],
        })
      }, stored)
      await page.goto('/login')
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', expected)
      const seen = await page.evaluate(() => Reflect.get(window, 'seen'))
      expect(new Set(seen)).toEqual(new Set([expected]))
    })
  }

  test('the toggle is remembered, and a later change of the system is followed', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light' })
    await openDashboard(page)
    await page.getByRole('button', { name: 'Switch between light and dark' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
    expect(await page.evaluate(() => localStorage.getItem('darkMode'))).toBe('1')
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
    // The app follows changes of the system setting; before it runs the page stays as it was painted.
    await expect(page.getByRole('heading', { level: 1, name: 'My Workspace' })).toBeVisible()
    await page.emulateMedia({ colorScheme: 'dark' })
    // A page learns of a change when it paints: two changes between two frames would be lost.
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))))
    await page.emulateMedia({ colorScheme: 'light' })
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light')
    // The system's change is not stored: the choice stands when one comes back.
    expect(await page.evaluate(() => localStorage.getItem('darkMode'))).toBe('1')
  })

  test('the theme of the system is followed and not stored until one is chosen', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await openDashboard(page)
    const html = page.locator('html')
    await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect(html).toHaveAttribute('data-mantine-color-scheme', 'light')
    expect(await page.evaluate(() => localStorage.getItem('darkMode'))).toBeNull()
  })
})

test('a workspace that cannot be chosen says so, and the other one stays', async ({ page, complaints }) => {
  await openDashboard(page)
  await page.route('**/-actions/updateCurrentProject', (route) =>
    route.fulfill({ status: 500, json: { errors: [{ status: '500', detail: 'one' }, { detail: 'two' }] } }),
  )
  const bar = page.getByRole('banner').getByRole('button', { name: /^Workspace: Production/ })
  await bar.click()
  await page.getByRole('menuitem', { name: 'Client work' }).click()
  await expect(page.getByText('An error has occured')).toBeVisible()
  await expect(page.getByText('The workspace was not changed.')).toBeVisible()
  await expect(bar).toBeVisible()
  // The seed asks for the details of a failed action in the log.
  expect(complaints.splice(0)).toEqual(['one', 'two'])
})

test('the language changes at once, stays, and is kept on the account', async ({ page }) => {
  await openDashboard(page, 'trial@demo.test')
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await page.getByRole('button', { name: /^Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Română' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Spațiul meu de lucru' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ro')
  expect((await saved).status()).toBe(200)
  await page.reload()
  await expect(page).toHaveTitle('Spațiul meu de lucru · Carpat Cloud')
})

test('a change of the language leaves the focus where it was chosen, and what is typed', async ({ page }) => {
  await newcomer(page)
  await page.goto('/add-ticket')
  const subject = page.getByRole('main').getByRole('textbox').first()
  await subject.fill('Half a sentence')
  await page.getByRole('button', { name: /^Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Română' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ro')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Meniul contului/ })).toBeFocused()
  await expect(page.getByRole('main').getByRole('textbox').first()).toHaveValue('Half a sentence')
})

test('the sign-in page comes in the language of the browser', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ locale: 'ro-RO', ...(baseURL && { baseURL }) })
  const page = await context.newPage()
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'Conectare cu e-mail' })).toBeVisible()
  await page.getByRole('button', { name: 'English' }).click()
  await expect(page.getByRole('button', { name: 'Sign in with e-mail' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Sign in with e-mail' })).toBeVisible()
  await context.close()
})

test('the bar holds the bell, the team panel and the menu of the person', async ({ page }) => {
  await openDashboard(page)
  const bar = page.getByRole('banner')
  await bar.getByRole('button', { name: 'Notifications' }).click()
  const bell = page.getByRole('dialog', { name: 'Notifications' })
  await expect(bell.getByRole('listitem').first()).toBeVisible()
  await bell.getByRole('button', { name: 'Close' }).click()
  await expect(bell).toBeHidden()
  await bar.getByRole('button', { name: 'Share access' }).click()
  await expect(
    page.getByRole('dialog', { name: 'Team members' }).getByRole('link', { name: 'Invite' }),
  ).toHaveAttribute('href', /^\/manage-permissions\/?$/)
  await page.keyboard.press('Escape')
  await bar.getByRole('button', { name: 'Account menu of Ana Marin' }).click()
  for (const name of [
    'Manage account',
    'Workspace',
    'Billing',
    'Billing log',
    'Usages',
    'Tickets',
    'IP address token',
    'Sign out',
  ]) {
    await expect(page.getByRole('menuitem', { name, exact: true })).toBeVisible()
  }
})

test('the notifications of a new person are empty, and say so', async ({ page }) => {
  await newcomer(page)
  await page.goto('/')
  await page.getByRole('banner').getByRole('button', { name: 'Notifications' }).click()
  const bell = page.getByRole('dialog', { name: 'Notifications' })
  await expect(bell.getByText('No notifications')).toBeVisible()
  await bell.getByRole('button', { name: 'Close' }).click()
  await expect(bell).toBeHidden()
})

test('the palette goes to pages, workspaces, panels, tickets and invoices by typing', async ({ page }) => {
  await openDashboard(page)
  await page.keyboard.press('Control+k')
  const search = page.getByRole('textbox', { name: 'Where to?' })
  await expect(search).toBeFocused()
  await search.fill('shop')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'shop-cluster' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await search.fill('fills up at')
  await expect(page.getByRole('button', { name: /^Disk of web-eu1 fills up at night/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Disk of web-eu1' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await search.fill('hst-')
  const found = page.getByRole('button', { name: /^HST-\d+/ }).first()
  const number = /HST-\d+/.exec((await found.textContent()) ?? '')?.[0] ?? ''
  await found.click()
  await expect(page.getByRole('table', { name: 'Invoices' }).getByRole('rowheader')).toHaveText([number])
})

test('the palette opens the tabs of Billing by their names, and carries out commands', async ({ page }) => {
  await openDashboard(page)
  const search = page.getByRole('textbox', { name: 'Where to?' })
  const choose = async (typed: string, name: string | RegExp) => {
    await page.keyboard.press('Control+k')
    await search.fill(typed)
    await page.getByRole('dialog').getByRole('button', { name }).click()
  }
  await choose('invoice', /^Invoices/)
  await expect(page.getByRole('tab', { name: 'Invoices', selected: true })).toBeVisible()
  await page.keyboard.press('Control+k')
  const group = page.getByRole('dialog').getByRole('button', { name: /^Invoices/ })
  // Once as a page, and once among what was opened last.
  await expect(group).toHaveCount(2)
  await page.keyboard.press('Escape')
  await choose('ticket web-eu1', 'Open a ticket about web-eu1')
  await expect(page.getByRole('combobox', { name: 'Panel' })).toContainText('web-eu1')
  await choose('theme', 'Switch between light and dark')
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await choose('system', m.palette_theme_system())
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light')
  expect(await page.evaluate(() => localStorage.getItem('darkMode'))).toBeNull()
  await choose('ticket', 'New ticket')
  await expect(page.getByRole('heading', { level: 1, name: 'New ticket' })).toBeVisible()
  await choose('workspace', 'Add workspace')
  await expect(page.getByRole('dialog', { name: /workspace/i })).toBeVisible()
})

test('a guest finds the panels that others opened to them in the palette', async ({ page }) => {
  await signIn(page, 'mihai@demo.test')
  const server = await api(page)
  const [shared] = await server.list('client-panels')
  const [panel] = await server.list(`panels?filter[id]=${shared?.attributes.panel_id}`)
  const name = String(panel?.attributes.name)
  await page.goto('/manage-account')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('textbox').fill(name)
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})

test('the keyboard walks from the skip link through the bar, and menus work with arrows', async ({
  page,
}) => {
  await openDashboard(page)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Carpat Cloud, go to the dashboard' })).toBeFocused()
  await page.keyboard.press('Tab')
  const switcher = page.getByRole('button', { name: /^Workspace:/ })
  await expect(switcher).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Production' })).toBeVisible()
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem').nth(1)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menuitem', { name: 'Production' })).toBeHidden()
  await expect(switcher).toBeFocused()
})

test('a menu that is slow to arrive opens when it is there, and gives the focus back', async ({ page }) => {
  const arrives = Promise.withResolvers<void>()
  await page.route('**/panel-menu*.js', async (route) => {
    await arrives.promise
    await route.continue()
  })
  await openDashboard(page)
  const button = page.getByRole('button', { name: 'Actions for web-eu1' })
  const menu = page.waitForResponse('**/panel-menu*.js')
  await button.hover()
  await page.mouse.down()
  // It comes between the press and the click, which must not be lost by that.
  arrives.resolve()
  await (await menu).finished()
  await page.mouse.up()
  await expect(page.getByRole('menuitem', { name: 'Delete panel' })).toBeVisible()
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menuitem', { name: 'Delete panel' })).toBeHidden()
  await expect(button).toBeFocused()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  test('nothing is wider than the screen, and the top bar becomes a drawer', async ({ page }) => {
    await openDashboard(page)
    for (const path of ['/', '/tickets', '/team-members']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    }
    await page.goto('/')
    await page.getByRole('button', { name: 'Open menu' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Billing log' }).click()
    await expect(page).toHaveURL('/billing-log')
    await expect(page.getByRole('dialog')).toBeHidden()
  })

  test('a control that is denied says why within the screen, and makes the page no wider', async ({
    page,
  }) => {
    const email = await newcomerWithPanel(page)
    await inDatabase(
      `update panels set status = 'suspended' where client_id = (select id from clients where email = $1)`,
      email,
    )
    await page.goto('/')
    const connect = page
      .getByRole('article', { name: 'broken' })
      .getByRole('button', { name: m.connect_to({ name: 'broken' }) })
    await expect(connect).toHaveAccessibleDescription(m.connect_while_suspended())
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await connect.focus()
    const why = page.getByText(m.connect_while_suspended())
    await expect(why).toBeVisible()
    await expect(why).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Escape')
    await expect(why).toBeHidden()
  })

  test('a table’s rows are cards with their headings', async ({ page }) => {
    await openDashboard(page)
    await page.getByRole('link', { name: 'web-eu1', exact: true }).click()
    await expect(page.getByRole('tab', { name: 'Single Servers' })).toBeVisible()
    await expect(page.getByRole('rowheader').first()).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })
})

test('an address that is no page says so and leads back', async ({ page }) => {
  await signIn(page)
  for (const path of ['/no-such-page', '/tickets/not-a-number', '/a/b/c']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
    await expect(page).toHaveTitle('Page not found · Carpat Cloud')
  }
  await page.getByRole('link', { name: 'Back to the dashboard' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'My Workspace' })).toBeVisible()
})

test('going offline is shown, and coming back too', async ({ page, context }) => {
  await openDashboard(page)
  await context.setOffline(true)
  await expect(page.getByText('You are offline.')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('You are offline.')).toBeHidden()
})
