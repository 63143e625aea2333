import type { Page } from '@playwright/test'
import { deskHome, href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { newcomer } from './newcomer.ts'
import { expectRomanian, inRomanian } from './romanian.ts'
import { answerField, staffIn, ticketOf, unique } from './ticket.ts'

const titled = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** A client with three tickets of one word in their subjects, the newest first. */
async function queueOf(page: Page) {
  await newcomer(page)
  const word = unique('Queue')
  const subjects = ['First', 'Second', 'Third'].map((one) => `${one} ${word}`)
  const ids: string[] = []
  for (const subject of subjects) ids.push(await ticketOf(page, subject, 'Since noon'))
  return { subjects: subjects.reverse(), ids: ids.reverse(), queue: `${deskHome}/tickets?search=${word}` }
}

test('support goes through the queue by buttons and keys, and an answer moves no ticket meanwhile', async ({
  page,
  browser,
  baseURL,
}) => {
  const { subjects, queue } = await queueOf(page)
  const [newest = '', middle = '', oldest = ''] = subjects
  const staff = await staffIn(browser, baseURL)
  await staff.goto(queue)
  await staff.getByRole('link', { name: middle }).click()
  await expect(titled(staff, middle)).toBeVisible()
  const way = staff.getByRole('navigation', { name: m.desk_ticket_queue() })
  await expect(way.getByText(m.desk_ticket_place({ at: 2, of: 3 }))).toBeVisible()
  await answerField(staff).fill('We look at it.')
  await staff.getByRole('button', { name: m.ticket_send(), exact: true }).click()
  await expect(staff.getByRole('log').getByText('We look at it.')).toBeVisible()

  // By its answer it would now be the first.
  await way.getByRole('link', { name: m.desk_ticket_next() }).click()
  await expect(titled(staff, oldest)).toBeVisible()
  await expect(way.getByRole('button', { name: m.desk_ticket_next() })).toBeDisabled()
  await expect(way.getByText(m.desk_ticket_place({ at: 3, of: 3 }))).toBeVisible()
  await staff.reload()
  await expect(way.getByText(m.desk_ticket_place({ at: 3, of: 3 }))).toBeVisible()
  await staff.keyboard.press('k')
  await expect(titled(staff, middle)).toBeVisible()
  await staff.keyboard.press('k')
  await expect(titled(staff, newest)).toBeVisible()
  await staff.keyboard.press('j')
  await expect(titled(staff, middle)).toBeVisible()
  await staff.keyboard.press('?')
  const list = staff.getByRole('dialog', { name: m.keys_title() })
  for (const does of [
    m.desk_ticket_next(),
    m.desk_ticket_previous(),
    m.ticket_key_reply(),
    m.row_key_verbs(),
  ])
    await expect(list.getByText(does, { exact: true })).toBeVisible()
  await expect(list.getByText(m.row_key_next(), { exact: true })).toHaveCount(0)
  await staff.keyboard.press('Escape')
  await staff.getByRole('main').getByRole('link', { name: m.tickets_title() }).click()
  await expect(staff).toHaveURL(new RegExp(`${deskHome}/tickets\\?search=`))
  await expect(staff.getByRole('row').filter({ hasText: middle })).toBeVisible()
  await staff.context().close()
})

test('staff come to a ticket at the desk by the address of the portal, and choose there who answers it', async ({
  page,
  browser,
  baseURL,
}) => {
  await newcomer(page)
  const subject = unique('From a letter')
  const id = await ticketOf(page, subject, 'Since noon')
  const staff = await staffIn(browser, baseURL)
  await staff.goto(href('view-ticket', { id }))
  await expect(staff).toHaveURL(`${deskHome}/tickets/${id}`)
  await expect(titled(staff, subject)).toBeVisible()
  await expect(staff.getByRole('navigation', { name: m.desk_ticket_queue() })).toHaveCount(0)
  const about = staff.getByRole('complementary', { name: m.ticket_about() })
  await expect(about.getByRole('region', { name: m.ticket_client_title() })).toContainText('Maria Ionescu')
  await about.getByLabel(m.ticket_assigned()).selectOption('Sorin')
  await about.getByLabel(m.ticket_department()).selectOption('Sales')
  await staff.getByRole('button', { name: m.ticket_resolve() }).click()
  await expect(staff.getByText(m.ticket_resolved(), { exact: true })).toBeVisible()
  await staff.reload()
  await expect(about.getByLabel(m.ticket_department())).toHaveValue('sales')
  await expect(about.getByLabel(m.ticket_assigned()).getByRole('option', { selected: true })).toHaveText(
    'Sorin',
  )
  // The last part of this address names a panel, not a ticket.
  await staff.goto(href('tickets', { panel_id: Number(id) }))
  await expect(staff).toHaveURL(deskHome)
  await staff.goto(`${href('tickets', {})}?search=letter`)
  await expect(staff).toHaveURL(new RegExp(`${deskHome}/tickets\\?search=letter`))
  await staff.goto(`${deskHome}/tickets/999999999`)
  await expect(staff.getByRole('heading', { name: m.ticket_gone_title() })).toBeVisible()
  await staff.context().close()

  await page.goto(href('view-ticket', { id }))
  await expect(page).toHaveURL(href('view-ticket', { id }))
  await expect(page.getByText(m.ticket_resolved(), { exact: true })).toBeVisible()
})

test('a colleague sees who writes at the ticket, until the answer is sent', async ({
  page,
  browser,
  baseURL,
}) => {
  await newcomer(page)
  const id = await ticketOf(page, unique('Two at once'), 'Since noon')
  const staff = await staffIn(browser, baseURL)
  await staff.goto(`${deskHome}/tickets/${id}`)
  await answerField(staff).fill('I look at it')
  await signIn(page, 'admin@demo.test')
  await page.goto(`${deskHome}/tickets/${id}`)
  const sign = page.getByText(m.desk_ticket_writing({ name: 'Sorin' }))
  await expect(sign).toBeVisible()
  await expectAccessible(page, 'a ticket where a colleague writes')
  await expect(staff.getByText(m.desk_ticket_writing({ name: 'Sorin' }))).toHaveCount(0)
  await staff.getByRole('button', { name: m.ticket_send(), exact: true }).click()
  await expect(staff.getByRole('log').getByText('I look at it')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('log').getByText('I look at it')).toBeVisible()
  await expect(sign).toHaveCount(0)
  await staff.context().close()
})

test('billing does not find a ticket of a department that is not theirs', async ({ page }) => {
  await newcomer(page)
  const subject = unique('Not of billing')
  const id = await ticketOf(page, subject, 'Since noon')
  await signIn(page, 'billing@demo.test')
  await page.goto(`${deskHome}/tickets?search=${encodeURIComponent(subject)}`)
  await expect(page.getByRole('button', { name: m.filters_clear() })).toBeVisible()
  await expect(page.getByRole('link', { name: subject })).toHaveCount(0)
  await page.goto(`${deskHome}/tickets/${id}`)
  await expect(page.getByRole('heading', { name: m.ticket_gone_title() })).toBeVisible()
})

for (const look of looks)
  test(`the queue and a ticket of it are accessible in ${look.colorScheme} at ${look.width} pixels, in Romanian too`, async ({
    page,
    browser,
    baseURL,
  }) => {
    const { subjects, ids, queue } = await queueOf(page)
    const [newest = '', middle = ''] = subjects
    const staff = await staffIn(browser, baseURL)
    const { colorScheme, viewport } = seenAs(look)
    await staff.emulateMedia({ colorScheme })
    await staff.setViewportSize(viewport)
    await staff.goto(queue)
    await expect(staff.getByRole('link', { name: newest })).toBeVisible()
    await expectAccessible(staff, 'the queue of tickets')
    await staff.getByRole('link', { name: middle }).click()
    await expect(titled(staff, middle)).toBeVisible()
    await expect(staff.getByText('Maria Ionescu').first()).toBeVisible()
    await expectAccessible(staff, 'a ticket of the queue')
    await staff.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
    await staff.goto(`${deskHome}/tickets/${ids[0]}`)
    await expect(staff.getByRole('region', { name: inRomanian(m.ticket_client_title) })).toContainText(
      'Maria Ionescu',
    )
    await expectRomanian(staff, 'a ticket at the desk', [...subjects, 'Since noon'])
    await staff.context().close()
  })
