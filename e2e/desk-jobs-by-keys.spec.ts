import type { Locator, Page } from '@playwright/test'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { api } from './api.ts'
import { enter, expectFocusKept, pressTo, typeIn } from './by-keys.ts'
import { inDatabase } from './database.ts'
import { expect, signIn, test } from './fixtures.ts'
import { newcomer } from './newcomer.ts'
import { answerField, ticketOf, unique } from './ticket.ts'

const titled = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

/** Begins a day of staff on the home page; from here on there is only the keyboard. */
async function begin(page: Page, staff: string): Promise<void> {
  await signIn(page, staff)
  await page.goto(deskHome)
  await expect(titled(page, m.desk_home_title())).toBeVisible()
}

/** Opens the search, by the keys that work in a field too, and what it finds. */
async function find(page: Page, text: string, list: string, found: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k')
  const search = page.getByRole('dialog', { name: m.search() })
  await expect(search.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type(text)
  const result = search
    .getByRole('list', { name: list })
    .getByRole('listitem')
    .filter({ hasText: found })
    .first()
  await pressTo(page, 'ArrowDown', result.getByRole('link').or(result.getByRole('button')), 10)
  await page.keyboard.press('Enter')
  await expect(search).toHaveCount(0)
}

async function openPage(page: Page, title: string): Promise<void> {
  await find(page, title, m.desk_search_commands(), title)
  await expect(titled(page, title)).toBeFocused()
}

async function openClient(page: Page, email: string): Promise<void> {
  await find(page, email, m.desk_search_found(), /Maria Ionescu/)
  await expect(titled(page, 'Maria Ionescu')).toBeVisible()
}

/** Steps through the verbs of the row or page in focus, and opens one. */
async function chooseVerb(page: Page, verb: Locator): Promise<void> {
  await pressTo(page, '.', verb, 8)
  await page.keyboard.press('Enter')
}

/** Gives the reason, comes to the verb, and sends; the dialog closes, and the focus stays on the page. */
async function confirm(page: Page, verb: string, reason: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await typeIn(page, dialog.getByRole('textbox', { name: m.desk_verb_reason() }), reason)
  await enter(page, dialog.getByRole('button', { name: verb, exact: true }))
  await expect(dialog).toHaveCount(0)
  await expectFocusKept(page, verb)
}

/** A new person with a running panel. Returns their address. */
async function withPanel(page: Page): Promise<string> {
  const email = await newcomer(page)
  const portal = await api(page)
  const [project] = await portal.list('projects')
  const to = { project: { type: 'projects', id: project?.id ?? '' } }
  await portal.create('panels', { name: 'shop', plan_code: 'start' }, to)
  await expect(async () => {
    const [panel] = await portal.list('panels')
    // A server of the simulated engine may be degraded by chance.
    expect(['active', 'degraded']).toContain(panel?.attributes.status)
  }).toPass()
  return email
}

test('support finds a client, writes a note, and stops a panel by the keyboard alone', async ({ page }) => {
  test.setTimeout(180_000)
  const email = await withPanel(page)
  await begin(page, 'support@demo.test')
  await openClient(page, email)
  const parts = page.getByRole('navigation', { name: m.desk_client_title() })
  await enter(page, parts.getByRole('link', { name: m.desk_tab_notes(), exact: true }))
  await typeIn(page, page.getByRole('textbox', { name: m.desk_note() }), 'Prefers to be called')
  await enter(page, page.getByRole('button', { name: m.desk_note_add() }))
  await expect(rowOf(page, 'Prefers to be called')).toBeVisible()
  await expect(page.getByRole('textbox', { name: m.desk_note() })).toBeFocused()

  await openClient(page, email)
  await enter(page, parts.getByRole('link', { name: m.desk_tab_panels(), exact: true }))
  await pressTo(page, 'j', rowOf(page, 'shop'), 5)
  await chooseVerb(page, rowOf(page, 'shop').getByRole('button', { name: m.desk_panel_stop() }))
  await confirm(page, m.desk_panel_stop_verb(), 'It sends spam')
  await expect(rowOf(page, 'shop')).toContainText('Suspended')
})

test('billing gives goodwill and holds dunning by the keyboard alone', async ({ page }) => {
  const email = await newcomer(page)
  await begin(page, 'billing@demo.test')
  await openClient(page, email)
  const dialog = page.getByRole('dialog')
  const main = page.getByRole('main')
  const goodwill = main.getByRole('button', { name: m.desk_goodwill(), exact: true })
  await chooseVerb(page, goodwill)
  await typeIn(page, dialog.getByRole('textbox', { name: m.desk_amount() }), '5')
  await confirm(page, m.desk_goodwill_verb(), 'An outage of an hour')
  await expect(page.getByRole('definition').filter({ hasText: '$5.00' }).first()).toBeVisible()
  await expect(goodwill).toBeFocused()

  await chooseVerb(page, main.getByRole('button', { name: m.desk_hold(), exact: true }))
  const until = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)
  await typeIn(page, dialog.getByRole('textbox', { name: m.desk_hold_until() }), until)
  await confirm(page, m.desk_hold_verb(), 'Promised to pay')
  await expect(main.getByRole('button', { name: m.desk_hold_end(), exact: true })).toBeVisible()
})

test('support opens a ticket of the queue, answers it and has it by the keyboard alone', async ({ page }) => {
  await newcomer(page)
  const subject = unique('Mail is slow')
  await ticketOf(page, subject, 'Since noon')
  await begin(page, 'support@demo.test')
  await page.keyboard.type('gt')
  await expect(titled(page, m.tickets_title())).toBeFocused()
  const row = rowOf(page, subject)
  await expect(row).toBeVisible()
  await page.keyboard.type('jjk')
  await expect(page.getByRole('row').nth(1)).toBeFocused()
  await pressTo(page, 'j', row)
  await page.keyboard.press('Enter')
  await expect(titled(page, subject)).toBeVisible()
  const assigned = page.getByRole('combobox', { name: m.ticket_assigned() })
  await expect(assigned).toHaveValue('')
  await page.keyboard.press('a')
  await expect(assigned).not.toHaveValue('')
  await page.keyboard.press('r')
  await expect(answerField(page)).toBeFocused()
  await page.keyboard.type('We look at it')
  await enter(page, page.getByRole('button', { name: m.ticket_send(), exact: true }))
  await expect(page.getByRole('article').filter({ hasText: 'We look at it' })).toBeVisible()
  await expectFocusKept(page, 'an answer')
})

test('an administrator approves a request, reruns a job, resends a letter and reads the log by the keyboard alone', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const email = await newcomer(page)
  const why = unique('Two days without mail')
  await ask(page, email, why)
  const job = await failedJob()
  await inDatabase(
    `update outbox_letters set sent_at = null, failed_at = now(), attempts = 10, last_error = '550 No such user'
      where recipient = $1`,
    email,
  )
  await begin(page, 'admin@demo.test')
  await openPage(page, m.desk_requests_title())
  await pressTo(page, 'j', rowOf(page, why))
  await chooseVerb(page, rowOf(page, why).getByRole('button', { name: m.desk_request_approve() }))
  await confirm(page, m.desk_request_approve_verb(), 'Read the ticket')
  await expect(rowOf(page, why)).toHaveCount(0)
  await expectFocusKept(page, 'a request that is gone')

  await openPage(page, m.desk_jobs_title())
  await pressTo(page, 'j', rowOf(page, job))
  await chooseVerb(page, rowOf(page, job).getByRole('button', { name: m.desk_job_retry() }))
  await confirm(page, m.desk_job_retry(), 'The office answers again')
  await expect(rowOf(page, job)).toHaveCount(0)
  await expectFocusKept(page, 'a job that is gone')

  await openPage(page, m.desk_letters_title())
  await pressTo(page, 'j', rowOf(page, email))
  const again = unique('The mail server works')
  await chooseVerb(page, rowOf(page, email).getByRole('button', { name: m.desk_letter_retry() }))
  await confirm(page, m.desk_letter_retry(), again)

  await openPage(page, m.desk_log_title())
  await typeIn(page, page.getByRole('searchbox', { name: m.search() }), again)
  await expect(page.getByRole('table').getByRole('row').filter({ hasText: again })).toHaveCount(1)
  await expect(page).toHaveURL(/search=/)
})

/** Support ask a second person for a goodwill above their limit. */
async function ask(page: Page, email: string, why: string): Promise<void> {
  await signIn(page, 'support@demo.test')
  const portal = await api(page)
  const [client] = await portal.list(`desk-clients?filter[search]=${encodeURIComponent(email)}`)
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value
  const answer = await page.request.post('/api/v1/desk-requests/-actions/ask', {
    data: { verb: 'goodwill', ref: `${client?.id}`, input: { amount: 40 } },
    headers: {
      authorization: `Bearer ${token}`,
      'idempotency-key': crypto.randomUUID(),
      'portico-reason': encodeURIComponent(why),
    },
  })
  expect(answer.status(), await answer.text()).toBe(200)
}

/** A job that has failed for good, about a client who does not exist. Returns the number of the client. */
async function failedJob(): Promise<string> {
  const client = 900_000_000 + Math.floor(Math.random() * 99_999_999)
  await inDatabase(
    `with j as (select * from graphile_worker.add_job('vat.check', json_build_object('clientId', $1::int8),
      run_at => now() + interval '1 day')) select from j`,
    client,
  )
  await inDatabase(
    `update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'The office did not answer'
      where payload ->> 'clientId' = $1::text`,
    client,
  )
  return String(client)
}
