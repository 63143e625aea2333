import type { Page } from '@playwright/test'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { newcomer } from './newcomer.ts'
import { answerField, staffIn, ticketOf, unique } from './ticket.ts'

const titled = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('an administrator finds a client and a verb by keys alone', async ({ page }) => {
  await signIn(page, 'admin@demo.test')
  await page.goto(deskHome)
  await expect(titled(page, m.desk_home_title())).toBeVisible()
  for (const [letter, title] of [
    ['e', m.desk_engines_title()],
    ['m', m.desk_documents_title()],
    ['r', m.desk_reports_title()],
    ['c', m.desk_clients_title()],
  ] as const) {
    await page.keyboard.type(`g${letter}`)
    await expect(titled(page, title)).toBeVisible()
  }

  const search = page.getByRole('searchbox', { name: m.search() })
  await search.fill('Lumen')
  await expect(page.getByRole('row')).toHaveCount(2)
  // In a field the same letters are text.
  await search.press('End')
  await page.keyboard.type('jx.')
  await expect(search).toHaveValue('Lumenjx.')
  await search.fill('')
  await expect(page.getByRole('row').nth(3)).toBeVisible()

  await titled(page, m.desk_clients_title()).focus()
  const [first, second] = [page.getByRole('row').nth(1), page.getByRole('row').nth(2)]
  await page.keyboard.press('j')
  await expect(first).toBeFocused()
  await page.keyboard.press('j')
  await expect(second).toBeFocused()
  await page.keyboard.press('k')
  await page.keyboard.press('k')
  await expect(first).toBeFocused()
  await expectAccessible(page, 'a list with a row in focus')
  const name = (await first.getByRole('link').textContent()) ?? ''
  await page.keyboard.press('Enter')
  await expect(titled(page, name)).toBeVisible()

  await page.keyboard.press('.')
  await expect(page.getByRole('main').getByRole('button').first()).toBeFocused()
})

test('the verbs of a row open by keys alone, and each role has the keys of its pages', async ({ page }) => {
  await signIn(page, 'admin@demo.test')
  await page.goto(`${deskHome}/clients?search=Lumen`)
  await expect(page.getByRole('link', { name: 'Lumen Studio SRL' })).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(titled(page, 'Lumen Studio SRL')).toBeVisible()
  const row = page
    .getByRole('table', { name: m.desk_tab_panels() })
    .getByRole('row')
    .filter({ hasText: 'web-eu1' })
  await expect(row).toBeVisible()
  const buttons = row.getByRole('button')
  const count = await buttons.count()
  // The lists above the table have rows too.
  for (let press = 0; press < 30 && !(await row.evaluate((one) => one === document.activeElement)); press++)
    await page.keyboard.press('j')
  await expect(row).toBeFocused()
  for (let press = 0; press < count; press++) await page.keyboard.press('.')
  await expect(page.getByRole('menu')).toBeVisible()
  // Letters choose nothing behind an open menu.
  await page.keyboard.type('gh')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(titled(page, 'Lumen Studio SRL')).toBeVisible()

  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: m.keys_title() })
  for (const does of [m.desk_key_engines(), m.row_key_next(), m.row_key_verbs()])
    await expect(list.getByText(does, { exact: true })).toBeVisible()
  await expectAccessible(page, 'the list of keys')

  await signIn(page, 'billing@demo.test')
  await page.goto(deskHome)
  await expect(titled(page, m.desk_home_title())).toBeVisible()
  await page.keyboard.type('ge')
  await page.keyboard.press('?')
  await expect(list.getByText(m.desk_key_documents(), { exact: true })).toBeVisible()
  await expect(list.getByText(m.desk_key_engines(), { exact: true })).toHaveCount(0)
  await expect(titled(page, m.desk_home_title())).toBeVisible()
})

test('billing comes to a page of theirs and to the list of keys by the search', async ({ page }) => {
  await signIn(page, 'billing@demo.test')
  await page.goto(deskHome)
  await expect(titled(page, m.desk_home_title())).toBeVisible()
  await page.keyboard.press('/')
  const search = page.getByRole('dialog', { name: m.search() })
  await expect(search.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type(m.desk_vat_title().toLowerCase())
  const commands = search.getByRole('list', { name: m.desk_search_commands() })
  await expect(commands.getByRole('button', { name: m.desk_vat_title() })).toBeVisible()
  await expectAccessible(page, 'the commands of the search')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(titled(page, m.desk_vat_title())).toBeVisible()
  await expect(search).toHaveCount(0)

  await page.keyboard.press('Control+k')
  // Billing does not read this page.
  await page.keyboard.type(m.desk_jobs_title())
  await expect(commands.getByRole('button', { name: m.desk_jobs_title(), exact: false })).toHaveCount(0)
  await search.getByRole('searchbox').fill(m.keys_title())
  await commands.getByRole('button', { name: m.keys_title() }).press('Enter')
  await expect(page.getByRole('dialog', { name: m.keys_title() })).toBeVisible()
})

test('support answers, notes and takes a ticket by keys; the client has none of them', async ({
  page,
  browser,
  baseURL,
}) => {
  await newcomer(page)
  const subject = unique('By keys')
  const id = await ticketOf(page, subject, 'Since noon')
  const staff = await staffIn(browser, baseURL)
  await staff.goto(`${deskHome}/tickets/${id}`)
  await expect(titled(staff, subject)).toBeVisible()
  const note = staff.getByRole('textbox', { name: m.ticket_note() })
  await expect(staff.getByRole('radio', { name: m.ticket_note() })).toBeAttached()
  await expect(staff.getByRole('combobox', { name: m.ticket_assigned() })).toHaveValue('')
  await staff.keyboard.press('n')
  await expect(note).toBeFocused()
  await staff.keyboard.type('ran')
  await expect(note).toHaveValue('ran')
  await titled(staff, subject).focus()
  await staff.keyboard.press('r')
  await expect(answerField(staff)).toBeFocused()
  await titled(staff, subject).focus()
  await staff.keyboard.press('a')
  await expect(staff.getByText(m.ticket_taken())).toBeVisible()
  await expect(staff.getByRole('combobox', { name: m.ticket_assigned() })).not.toHaveValue('')
  await staff.keyboard.press('?')
  const list = staff.getByRole('dialog', { name: m.keys_title() })
  for (const does of [m.ticket_key_reply(), m.ticket_key_note(), m.ticket_key_mine()])
    await expect(list.getByText(does, { exact: true })).toBeVisible()
  await expectAccessible(staff, 'the keys of a ticket')
  await list.getByRole('checkbox', { name: m.keys_letters() }).click()
  await staff.keyboard.press('Escape')
  await expect(list).toBeHidden()
  await staff.keyboard.press('n')
  await expect(answerField(staff)).toBeVisible()
  await staff.context().close()

  await page.goto(`/view-ticket/${id}`)
  await expect(titled(page, subject)).toBeVisible()
  await page.keyboard.press('r')
  await expect(answerField(page)).not.toBeFocused()
  await page.keyboard.press('?')
  const own = page.getByRole('dialog', { name: m.keys_title() })
  await expect(own.getByText(m.key_tickets(), { exact: true })).toBeVisible()
  await expect(own.getByText(m.ticket_key_mine(), { exact: true })).toHaveCount(0)
})

test('support opens a ticket of the queue by keys, and a client has none for their list', async ({
  page,
  browser,
  baseURL,
}) => {
  await newcomer(page)
  const subject = unique('In the queue')
  await ticketOf(page, subject, 'Since noon')
  const staff = await staffIn(browser, baseURL)
  await staff.goto(`${deskHome}/tickets?search=${encodeURIComponent(subject)}`)
  const row = staff.getByRole('row').filter({ hasText: subject })
  await expect(row).toBeVisible()
  await staff.keyboard.press('?')
  const list = staff.getByRole('dialog', { name: m.keys_title() })
  for (const does of [m.row_key_next(), m.row_key_verbs(), m.desk_key_clients()])
    await expect(list.getByText(does, { exact: true })).toBeVisible()
  await staff.keyboard.press('Escape')
  await expect(list).toBeHidden()
  await staff.keyboard.press('j')
  await expect(row).toBeFocused()
  await expectAccessible(staff, 'the queue with a row in focus')
  // The row has no verb, so the page's are next.
  await staff.keyboard.press('.')
  await expect(staff.getByRole('main').getByRole('button').first()).toBeFocused()
  await staff.keyboard.press('j')
  await staff.keyboard.press('Enter')
  await expect(titled(staff, subject)).toBeVisible()
  await staff.context().close()

  await page.goto('/tickets')
  await expect(page.getByRole('row').filter({ hasText: subject })).toBeVisible()
  await page.keyboard.press('j')
  await expect(page.getByRole('row').filter({ hasText: subject })).not.toBeFocused()
})
