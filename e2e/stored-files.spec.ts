import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expect, signIn, test } from './fixtures.ts'
import { newcomer } from './newcomer.ts'
import { payer, testCard, typeCard } from './payer.ts'
import { refusal } from './refusal.ts'
import { inRomanian } from './romanian.ts'

const folder = () => path.join(process.env.PORTAL_DATA ?? '', 'files')

/** The path where the portal stores a file of this content. */
function placeOf(content: Buffer): string {
  const wanted = createHash('sha256').update(content).digest('hex')
  const files = fs
    .readdirSync(folder(), { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
  const found = files
    .map((one) => path.join(one.parentPath, one.name))
    .find((file) => createHash('sha256').update(fs.readFileSync(file)).digest('hex') === wanted)
  if (found === undefined) throw new Error('The portal keeps no such file.')
  return found
}

test('a damaged invoice is not downloaded, alone or in an archive, and the page says so', async ({
  page,
}) => {
  await signIn(page, 'ana@demo.test')
  await page.goto(`${href('billing')}?tab=invoices`)
  const download = page.getByRole('button', { name: /^Download .+ as PDF$/ }).first()
  const [whole] = await Promise.all([page.waitForEvent('download'), download.click()])
  const number = whole.suggestedFilename().replace(/\.pdf$/, '')
  const bytes = fs.readFileSync(await whole.path())
  const file = placeOf(bytes)
  fs.truncateSync(file, bytes.length - 50)
  try {
    await download.click()
    await expect(page.getByText(m.document_failed({ number }))).toBeVisible()
    await expect(page.getByText(refusal('file_damaged'))).toBeVisible()
    const [archive] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: m.archive_verb() }).click(),
    ])
    // Names stand in a ZIP as they are.
    expect(fs.readFileSync(await archive.path()).includes('missing-documents.txt')).toBe(true)
    expect(fs.readFileSync(await archive.path()).includes(`${number}.pdf`)).toBe(false)
    await expect(page.getByText(m.archive_missing({ count: 1 }))).toBeVisible()
  } finally {
    fs.writeFileSync(file, bytes)
  }
  const [again] = await Promise.all([page.waitForEvent('download'), download.click()])
  expect(fs.readFileSync(await again.path()).equals(bytes)).toBe(true)
})

test('an unavailable storage is reported at the file, the text stays, and another try succeeds', async ({
  page,
}) => {
  await signIn(page, 'hans@demo.test')
  await page.goto(href('add-ticket'))
  const words = page.getByRole('textbox', { name: m.ticket_description() })
  await words.fill('The disk is full')
  // Nothing can be written into a folder that is none.
  const incoming = path.join(folder(), 'incoming')
  fs.renameSync(incoming, `${incoming}-away`)
  try {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: m.files_attach() }).click()
    await (await chooser).setFiles([
      { name: 'a.log', mimeType: 'text/plain', buffer: Buffer.from('GET /\n') },
    ])
    await expect(page.getByText(refusal('storage_unavailable'))).toBeVisible()
  } finally {
    fs.renameSync(`${incoming}-away`, incoming)
  }
  await expect(words).toHaveValue('The disk is full')
  await page.getByRole('button', { name: m.file_retry({ name: 'a.log' }) }).click()
  await expect(page.getByRole('button', { name: m.file_remove({ name: 'a.log' }) })).toBeVisible()
})

for (const language of ['en', 'ro'])
  test(`a full storage is reported at the attached file (${language})`, async ({ page }) => {
    await newcomer(page)
    await page.goto(href('add-ticket'))
    await page.context().addCookies([{ name: 'lang', value: language, url: page.url() }])
    await page.reload()
    const say = (text: () => string) => (language === 'ro' ? inRomanian(text) : text())
    // The server's refusal on a full disk, which its own tests cover.
    const detail = say(() => refusal('storage_full'))
    const errors = [{ status: '507', code: 'storage_full', detail }]
    await page.route('**/ticket-files/-actions/upload?*', (route) =>
      route.fulfill({ status: 507, json: { errors } }),
    )
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: say(m.files_attach) }).click()
    const file = { name: 'a.log', mimeType: 'text/plain', buffer: Buffer.from('GET /\n') }
    await (await chooser).setFiles([file])
    await expect(page.getByText(detail)).toBeVisible()
    await page.unroute('**/ticket-files/-actions/upload?*')
    await page.getByRole('button', { name: say(() => m.file_retry({ name: 'a.log' })) }).click()
    await expect(
      page.getByRole('button', { name: say(() => m.file_remove({ name: 'a.log' })) }),
    ).toBeVisible()
  })

test('letters carry invoices until one says otherwise, and the outbox shows them', async ({ page }) => {
  const email = await payer(page)
  await page.goto(`${href('manage-account')}#billing-emails`)
  const attach = page.getByRole('checkbox', { name: m.billing_emails_attach() })
  await expect(attach).toBeChecked()
  const pay = async () => {
    await page.goto(`${href('payment')}?amount=20`)
    await page.getByRole('button', { name: m.pay_sum({ amount: '$24.20' }) }).click()
    await expect(page.getByText(m.payment_on_balance({ amount: '$20.00' }))).toBeVisible()
    await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Download .+ as PDF$/ }).click(),
    ])
    await page.goto('/outbox')
    await page
      .getByRole('link', { name: /^Invoice / })
      .filter({ hasText: email })
      .first()
      .click()
    await expect(page.getByRole('heading', { level: 1, name: /^Invoice / })).toBeVisible()
  }
  await page.goto(`${href('add-new-card')}?next=%2Fpayment%3Famount%3D20`)
  await typeCard(page, testCard.works)
  await expect(page.getByRole('textbox', { name: m.payment_amount() })).toHaveValue('20')
  await pay()
  await expect(page.getByRole('list', { name: m.files_attached() })).toContainText('.pdf')
  await page.goto(`${href('manage-account')}#billing-emails`)
  await attach.uncheck()
  const section = page.getByRole('region', { name: m.account_billing_emails() })
  await section.getByRole('button', { name: m.save() }).click()
  await expect(page.getByText(m.billing_emails_saved())).toBeVisible()
  await pay()
  await expect(page.getByRole('list', { name: m.files_attached() })).toHaveCount(0)
})
