import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { inDatabase } from './database.ts'
import { expect, signIn, test } from './fixtures.ts'
import { newcomerWithPanel, signInAs } from './newcomer.ts'
import { expectRomanian, inRomanian } from './romanian.ts'
import { staffIn, ticketOf, unique } from './ticket.ts'

test('support read beside a ticket who the client is, what they have, and what else they asked', async ({
  page,
  browser,
  baseURL,
}) => {
  const email = await newcomerWithPanel(page)
  await inDatabase(`update panels set plan_code = 'start' where client_id = (
    select id from clients where email = '${email}')`)
  const subjects = ['First', 'Second', 'Third', 'Fourth'].map(unique)
  for (const subject of subjects) await ticketOf(page, subject, 'Since noon')
  const [, , third = '', fourth = ''] = subjects
  const id = await ticketOf(page, unique('Site down'), 'Since noon')

  const staff = await staffIn(browser, baseURL)
  await staff.goto(href('view-ticket', { id }))
  const card = staff.getByRole('region', { name: m.ticket_client_title() })
  await expect(card.getByText(email)).toBeVisible()
  await expect(card.getByRole('definition').getByText(/^[$€]\d+\.\d\d$/)).toBeVisible()
  const panel = card.getByRole('listitem').filter({ hasText: 'broken' })
  await expect(panel).toContainText('start')
  await expect(panel).toContainText(m.status_error())
  // The newest three, without the one that is open.
  await expect(card.getByRole('link', { name: /^(First|Second|Third|Fourth|Site) / })).toHaveText(
    subjects.slice(1).reverse(),
  )
  await expectAccessible(staff, 'a ticket with its client')
  await card.getByRole('link', { name: fourth }).click()
  await expect(staff.getByRole('heading', { level: 1, name: fourth })).toBeVisible()
  await expect(card.getByRole('link', { name: third })).toBeVisible()
  await expect(card.getByRole('link', { name: fourth })).toHaveCount(0)
  await card.getByRole('link', { name: 'Maria Ionescu' }).click()
  await expect(staff).toHaveURL(/\/desk\/clients\/\d+$/)
  await staff.context().close()

  await signInAs(page, email)
  await page.goto(href('view-ticket', { id }))
  await expect(page.getByRole('region', { name: m.ticket_about() })).toBeVisible()
  await expect(page.getByRole('region', { name: m.ticket_client_title() })).toHaveCount(0)
})

test('the client of a ticket is in Romanian too, and their panels beyond the first lead to all', async ({
  page,
  baseURL,
}) => {
  const email = await newcomerWithPanel(page)
  await inDatabase(`insert into panels (client_id, project_id, name, status, external_id, synced_at)
    select p.client_id, p.project_id, 'more ' || n, 'error', p.external_id || '-' || n, now()
    from panels p cross join generate_series(1, 5) n
    where p.client_id = (select id from clients where email = '${email}')`)
  const id = await ticketOf(page, 'Pagina nu merge', 'De la prânz')
  await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
  await signIn(page, 'admin@demo.test')
  await page.goto(href('view-ticket', { id }))
  const card = page.getByRole('region', { name: inRomanian(m.ticket_client_title) })
  await expect(card.getByText(inRomanian(m.ticket_client_tickets_none))).toBeVisible()
  await expectRomanian(page, 'a ticket with its client', ['Maria Ionescu'])
  await card.getByRole('link', { name: inRomanian(() => m.ticket_client_panels({ count: 6 })) }).click()
  await expect(page).toHaveURL(/\/panels$/)
})
