import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { deskHome, href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { enableSecondFactor, fillAdminAccount, setupLinkIn } from './first-admin.ts'
import { expect } from './fixtures.ts'
import { type MailServer, startMailServer } from './mail-server.ts'
import { ownPassword } from './newcomer.ts'
import { withOwnPortal } from './own-portal.ts'
import { testCard, typeCard } from './payer.ts'

// The mail server and the engine of this test are on this machine.
const test = withOwnPortal({ SEED: 'none', ENGINE_ALLOWED_HOSTS: '127.0.0.1', EXCHANGE_RATES_URL: 'none' })

const client = 'maria@client.test'

let mail: MailServer
let engine: ChildProcess | undefined
test.beforeAll(async () => {
  mail = await startMailServer()
})
test.afterAll(() => {
  mail.close()
  engine?.kill()
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
  return address.port
}

/** Opens the page of a step from the list of steps, as the list offers it. */
async function openStep(page: Page, name: string): Promise<void> {
  await page.goto(`${deskHome}/checks`)
  const steps = page.getByRole('list', { name: m.desk_checks_steps() })
  const step = steps.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })
  await step.getByRole('link', { name: m.desk_checks_open() }).click()
}

async function enterCompany(page: Page): Promise<void> {
  await openStep(page, m.desk_step_company())
  const form = page.getByRole('region', { name: m.desk_company_details() })
  await form.getByLabel(m.desk_company_name()).fill('Acme Hosting SRL')
  await form.getByLabel(m.desk_company_tax()).fill('RO12345674')
  await form.getByLabel(m.desk_company_vat()).fill('RO12345674')
  await form.getByLabel(m.address(), { exact: true }).fill('Strada Lungă 1')
  await form.getByLabel(m.city()).fill('Cluj-Napoca')
  await form.getByLabel(m.zip_code()).fill('400114')
  await form.getByLabel(m.county()).selectOption({ label: 'Cluj' })
  await form.getByLabel(m.email()).fill('billing@acme.test')
  await form.getByLabel(m.desk_verb_reason()).fill('Our company')
  await form.getByRole('button', { name: m.save() }).click()
  await expect(page.getByText(m.desk_company_saved())).toBeVisible()
}

async function beginSeries(page: Page): Promise<void> {
  await openStep(page, m.desk_step_series())
  const series = page.getByRole('region', { name: m.desk_series_title() })
  const dialog = page.getByRole('dialog')
  for (const prefix of ['ACP', 'ACM', 'ACN']) {
    await series.getByRole('button', { name: m.desk_series_new() }).click()
    await dialog.getByLabel(m.desk_series_prefix()).fill(prefix)
    await dialog.getByLabel(m.desk_verb_reason()).fill('Our first numbers')
    await dialog.getByRole('button', { name: m.desk_series_new_verb(), exact: true }).click()
    await expect(dialog).toHaveCount(0)
  }
  await expect(series.getByRole('listitem')).toHaveCount(3)
}

/** Registers an engine and starts it with the secret that the desk shows. */
async function addEngine(page: Page, portalUrl: string): Promise<void> {
  await openStep(page, m.desk_step_engine())
  const port = await freePort()
  await page.getByRole('button', { name: m.desk_engines_add() }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(m.desk_engines_name()).fill('Example')
  await dialog.getByLabel(m.desk_engines_address()).fill(`http://127.0.0.1:${port}`)
  await dialog.getByLabel(m.desk_verb_reason()).fill('Our first machine')
  await dialog.getByRole('button', { name: m.desk_engines_add_verb(), exact: true }).click()
  const secret = await dialog.getByText(/^whsec_/).textContent()
  engine = spawn('node', ['engines/example/main.ts'], {
    cwd: path.resolve(import.meta.dirname, '..'),
    env: {
      ...process.env,
      ENGINE_SECRETS: secret ?? '',
      ENGINE_CODE: 'example',
      PORTAL_URL: portalUrl,
      PORT: String(port),
    },
    stdio: 'ignore',
  })
  await dialog.getByRole('button', { name: m.desk_engines_secret_kept() }).click()
  const row = page.getByRole('row').filter({ hasText: `127.0.0.1:${port}` })
  await expect(async () => {
    await row.getByRole('button', { name: m.desk_engines_probe() }).click()
    await expect(row).toContainText(m.desk_engines_state_up(), { timeout: 2000 })
  }).toPass()
}

async function publishPlans(page: Page): Promise<void> {
  await openStep(page, m.desk_step_prices())
  await page.getByRole('button', { name: m.desk_plans_example() }).click()
  await page.getByRole('button', { name: m.desk_plans_preview() }).click()
  await page.getByRole('button', { name: m.desk_plans_publish() }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(m.desk_verb_reason()).fill('Our first plans')
  await dialog.getByRole('button', { name: m.desk_plans_publish(), exact: true }).click()
  await expect(page.getByRole('row').filter({ hasText: 'example-business' })).toBeVisible()
}

async function enterMail(page: Page): Promise<void> {
  await openStep(page, m.desk_step_mail())
  const form = page.getByRole('region', { name: m.desk_settings_mail(), exact: true })
  await form.getByLabel(m.desk_settings_smtp_url(), { exact: true }).fill(mail.url)
  await form.getByLabel(m.desk_settings_mail_from()).fill('Acme <mail@acme.test>')
  await form.getByLabel(m.desk_verb_reason()).fill('Our mail server')
  await form.getByRole('button', { name: m.save() }).click()
  await form.getByRole('button', { name: m.desk_settings_test() }).click()
  await expect(form.getByText(m.desk_settings_test_sent({ email: 'ana@acme.test' }))).toBeVisible()
}

async function publishTerms(page: Page): Promise<void> {
  await openStep(page, m.desk_step_texts())
  const dialog = page.getByRole('dialog')
  for (const kind of ['terms', 'privacy']) {
    await page.getByRole('button', { name: m.desk_texts_publish(), exact: true }).click()
    await dialog.getByRole('combobox').selectOption(kind)
    await dialog.getByLabel(m.desk_texts_version()).fill('1')
    await dialog.getByLabel(m.desk_texts_en()).fill('## Terms\n\nWe host, you pay.')
    await dialog.getByLabel(m.desk_texts_ro()).fill('## Termeni\n\nNoi găzduim, tu plătești.')
    await dialog.getByLabel(m.desk_verb_reason()).fill('Checked by our lawyer')
    await dialog.getByRole('button', { name: m.desk_texts_publish_verb(), exact: true }).click()
    await expect(dialog).toHaveCount(0)
  }
}

/** Nothing stops the portal any more, and the list says so. */
async function expectReady(page: Page): Promise<void> {
  await openRates(page)
  await page.goto(`${deskHome}/checks`)
  await page.getByRole('button', { name: m.desk_checks_run() }).click()
  await expect(page.getByRole('heading', { name: m.desk_checks_ready() })).toBeVisible({ timeout: 30_000 })
}

/** Prices in the operator's own currency need no rate. */
async function openRates(page: Page): Promise<void> {
  await openStep(page, m.desk_step_rates())
  await expect(page.getByText(m.desk_rates_needs_none())).toBeVisible()
}

async function register(page: Page): Promise<void> {
  await page.goto(href('create-account'))
  await page.getByLabel(m.first_name()).fill('Maria')
  await page.getByLabel(m.last_name()).fill('Ionescu')
  await page.getByLabel(m.email()).fill(client)
  await page.getByLabel(m.new_password(), { exact: true }).fill(ownPassword)
  await page.getByLabel(m.retype_password()).fill(ownPassword)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: m.register_title(), exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: m.verify_title() })).toBeVisible()
  const other = await page.context().newPage()
  await other.goto(await mail.linkTo(client, /\/verify-email/))
  await expect(other.getByRole('heading', { level: 1, name: m.verify_email_done() })).toBeVisible()
  await other.close()
  await expect(page.getByRole('heading', { level: 1, name: m.register_details_title() })).toBeVisible()
  await page.getByLabel(m.address(), { exact: true }).fill('Strada Scurtă 2')
  await page.getByLabel(m.city()).fill('Brașov')
  await page.getByLabel(m.zip_code()).fill('500001')
  await page.getByLabel(m.country(), { exact: true }).selectOption({ label: 'Romania' })
  await page.getByLabel(m.county()).selectOption({ label: 'Brașov' })
  await page.getByRole('button', { name: m.details_submit() }).click()
  await expect(page.getByRole('heading', { level: 1, name: m.dashboard_title() })).toBeVisible()
}

async function addPanel(page: Page): Promise<void> {
  await page.getByRole('button', { name: m.panel_add() }).first().click()
  const dialog = page.getByRole('dialog', { name: m.panel_add() })
  await dialog.getByLabel(m.panel_name()).fill('first')
  await dialog.getByRole('button', { name: m.panel_add() }).click()
  const card = page.getByRole('article', { name: 'first' })
  await expect(card.getByText('Active', { exact: true })).toBeVisible({ timeout: 60_000 })
}

async function pay(page: Page): Promise<void> {
  await page.goto(`${href('payment')}?amount=100`)
  await typeCard(page, testCard.works)
  const sums = page.getByRole('table', { name: m.quote_title() })
  await expect(sums.getByRole('row', { name: m.quote_total() })).toContainText('121')
  await page.getByRole('button', { name: /^Pay / }).click()
  await expect(page).toHaveURL(/\/payment\?transaction=\d+$/)
  await expect(page.getByRole('button', { name: /^Download .+ as PDF$/ })).toBeVisible({ timeout: 30_000 })
}

test('from an empty database to the first paid invoice, in the browser alone', async ({
  page,
  portal,
  browser,
  baseURL,
}) => {
  test.setTimeout(300_000)
  await page.goto(setupLinkIn(portal.greeting))
  await fillAdminAccount(page)
  await enableSecondFactor(page)
  await page.getByRole('button', { name: m.recovery_codes_kept() }).click()
  await expect(page).toHaveURL(/\/desk\/checks$/)
  await enterCompany(page)
  await beginSeries(page)
  await addEngine(page, portal.url)
  await publishPlans(page)
  await enterMail(page)
  await publishTerms(page)
  await expectReady(page)

  const visitor = await browser.newContext({ baseURL: baseURL ?? '' })
  const theirs = await visitor.newPage()
  await register(theirs)
  await addPanel(theirs)
  await pay(theirs)
  await visitor.close()

  await page.goto(`${deskHome}/documents`)
  const document = page.getByRole('row').filter({ hasText: /ACM-1\b/ })
  await expect(document).toContainText('Maria Ionescu')
  await expect(document).toContainText('121')
})
