import type { Page } from '@playwright/test'
import { deskHome, href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { api } from './api.ts'
import { expectAccessible } from './axe.ts'
import { confirmVerb } from './desk-verb.ts'
import { expect, signIn, test } from './fixtures.ts'
import { lastLetter } from './letters.ts'
import { looks, seenAs } from './looks.ts'
import { newcomer } from './newcomer.ts'
import { refusal } from './refusal.ts'
import { expectRomanian, inRomanian } from './romanian.ts'
import { answerField, staffIn, ticketOf, unique } from './ticket.ts'

const why = 'They see no chart since noon'

const banner = (page: Page) => page.getByRole('region', { name: m.view_banner_label() })

/** A new client whose ticket support has answered, and support in a browser of their own. */
async function asked(page: Page, browser: Parameters<typeof staffIn>[0], baseURL: string | undefined) {
  await newcomer(page)
  const subject = unique('The chart is empty')
  const id = await ticketOf(page, subject, 'Since noon')
  const staff = await staffIn(browser, baseURL)
  await staff.goto(href('view-ticket', { id }))
  await answerField(staff).fill('May I see the account as you do?')
  await staff.getByRole('button', { name: 'Send answer' }).click()
  await expect(staff.getByText('May I see the account as you do?')).toBeVisible()
  return { subject, id, staff }
}

/** Lets support see the account, at the ticket. */
async function letSee(page: Page, id: string): Promise<void> {
  await page.goto(href('view-ticket', { id }))
  const part = page.getByRole('region', { name: m.view_consent_title() })
  await part.getByRole('button', { name: m.view_consent_allow() }).click()
  await expect(part.getByText(m.view_consent_running({ name: 'Sorin' }))).toBeVisible()
}

/** Opens the portal as the client sees it, from the client's page of the desk. */
async function see(staff: Page): Promise<void> {
  await staff.getByRole('button', { name: m.see_as_client(), exact: true }).click()
  await confirmVerb(staff.getByRole('dialog'), m.desk_see_verb(), why)
  await expect(banner(staff)).toBeVisible()
  await expect(staff.getByRole('heading', { level: 1, name: 'My Workspace' })).toBeVisible()
}

test('a client lets support see the account as they do: nothing can be changed, and leaving leads back to the desk', async ({
  browser,
  page,
  baseURL,
}) => {
  const { id, staff } = await asked(page, browser, baseURL)
  const part = staff.getByRole('region', { name: m.see_as_client() })
  await expect(part.getByText(m.view_consent_none())).toBeVisible()
  await letSee(page, id)
  await expectAccessible(page, 'the consent at a ticket')

  await staff.reload()
  await part.getByRole('link', { name: m.view_consent_client() }).click()
  await expect(staff.getByRole('heading', { level: 1 })).toBeVisible()
  const client = new URL(staff.url()).pathname
  await see(staff)
  await expect(banner(staff)).toContainText(/You see this as .+ does\. Nothing can be changed\. Ends at \d/)
  await expectAccessible(staff, 'the portal as a client sees it')

  // What is closed says so, and what changes something is refused.
  await staff.goto(href('api-keys'))
  await expect(staff.getByRole('dialog').getByText(refusal('view_closed'))).toBeVisible()
  await staff.goto(href('view-ticket', { id }))
  await expect(staff.getByText('May I see the account as you do?')).toBeVisible()
  await expect(answerField(staff)).toHaveCount(0)
  await expect(staff.getByRole('button', { name: m.access_end() })).toHaveCount(0)

  await staff.goto(href('add-ticket'))
  await staff.getByLabel(m.ticket_subject()).fill('In their name')
  await staff.getByLabel(m.ticket_description()).fill('Never sent')
  await staff.getByRole('button', { name: m.ticket_submit() }).click()
  await expect(staff.getByText(refusal('view_read_only'))).toBeVisible()

  await banner(staff).getByRole('button', { name: m.view_leave() }).click()
  await expect(staff).toHaveURL(new RegExp(`${client}$`))
  await expect(banner(staff)).toHaveCount(0)
  await expect(staff.getByRole('button', { name: m.see_as_client(), exact: true })).toBeVisible()
  await staff.context().close()

  await page.goto(`${href('manage-account')}#security-log`)
  const log = page.getByRole('region', { name: m.account_log(), exact: true })
  await expect(log.getByText(m.event_staff_viewed({ about: 'Sorin', reason: why }))).toBeVisible()
  await expect(log.getByText(m.event_staff_view_granted({ about: 'Sorin' }))).toBeVisible()
})

test('a view ends at once when the client takes the consent back, and leaves the person signed in at the desk', async ({
  browser,
  page,
  baseURL,
}) => {
  const { id, staff } = await asked(page, browser, baseURL)
  await letSee(page, id)
  await staff.reload()
  await staff.getByRole('link', { name: m.view_consent_client() }).click()
  await see(staff)
  await page
    .getByRole('region', { name: m.view_consent_title() })
    .getByRole('button', { name: m.access_end() })
    .click()
  await expect(page.getByText(m.access_ended())).toBeVisible()
  await staff.reload()
  await expect(staff).toHaveURL(/\/desk\/clients\/\d+$/)
  await expect(staff.getByRole('button', { name: m.see_as_client(), exact: true })).toHaveCount(0)
  await expect(banner(staff)).toHaveCount(0)
  await expect(staff.getByRole('heading', { level: 1 })).toBeVisible()
  await staff.context().close()
})

test('the desk is never shown as a client: going there in the same tab leaves the view', async ({
  browser,
  page,
  baseURL,
}) => {
  const { id, staff } = await asked(page, browser, baseURL)
  await letSee(page, id)
  await staff.reload()
  await staff.getByRole('link', { name: m.view_consent_client() }).click()
  await see(staff)
  await staff.goto(deskHome)
  await expect(staff.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await staff.evaluate(() => sessionStorage.getItem('view'))).toBeNull()
  await staff.context().close()
})

test('administrators see accounts without consent once the policy allows it, and the owner reads it in a letter', async ({
  page,
}) => {
  const email = await newcomer(page)
  await signIn(page, 'admin@demo.test')
  const [client] = await (await api(page)).list(`desk-clients?filter[search]=${encodeURIComponent(email)}`)
  const ofClient = `${deskHome}/clients/${client?.id}`
  await page.goto(ofClient)
  await expect(page.getByRole('button', { name: m.desk_client_more(), exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: m.see_as_client(), exact: true })).toHaveCount(0)

  const choose = async (option: string) => {
    await page.goto(`${deskHome}/policies`)
    const rules = page.getByRole('region', { name: m.desk_policies_access() })
    await rules.getByLabel(m.desk_policies_views()).selectOption(option)
    await rules.getByLabel(m.desk_verb_reason()).fill('Decided by the board')
    await rules.getByRole('button', { name: m.save() }).click()
    await expect(page.getByText(m.desk_policies_access_saved())).toBeVisible()
  }
  await choose(m.desk_policies_views_admins())
  await expectAccessible(page, 'the policies with the access to accounts')
  await page.goto(ofClient)
  await see(page)
  const letter = await lastLetter(page.request, email, /looks at your account/)
  expect(letter.text).toContain(why)
  await banner(page).getByRole('button', { name: m.view_leave() }).click()
  await expect(page).toHaveURL(new RegExp(`${ofClient}$`))
  await expect(page.getByRole('button', { name: m.see_as_client(), exact: true })).toBeVisible()
  await choose(m.desk_policies_views_nobody())
})

for (const look of looks)
  test(`the banner of a view is accessible in ${look.colorScheme} at ${look.width} pixels, in Romanian too`, async ({
    browser,
    page,
    baseURL,
  }) => {
    const { subject, id, staff } = await asked(page, browser, baseURL)
    await letSee(page, id)
    await staff.reload()
    await staff.getByRole('link', { name: m.view_consent_client() }).click()
    await see(staff)
    const { colorScheme, viewport } = seenAs(look)
    await staff.emulateMedia({ colorScheme })
    await staff.setViewportSize(viewport)
    await staff.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
    await staff.reload()
    await expect(staff.getByRole('region', { name: inRomanian(m.view_banner_label) })).toBeInViewport()
    await expectAccessible(staff, 'the portal as a client sees it')
    await expectRomanian(staff, 'the portal as a client sees it', [
      'My Workspace',
      `Echipa de suport a răspuns la „${subject}”`,
    ])
    await staff.context().close()
  })
