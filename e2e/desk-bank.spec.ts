import type { Locator } from '@playwright/test'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { confirmVerb } from './desk-verb.ts'
import { expect, signIn, test } from './fixtures.ts'
import { payer } from './payer.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

const iban = 'RO49AAAA1B31007593840000'

/** A day as the pages of a language show it. */
const dayInWords = (day: string, language: string) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))

/** A statement with money for a document, and money without a word. */
const statement = (number: string, amount: string, mark: string) => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>${iban}</IBAN></Id></Acct>
${[
  [amount, number, `${mark}1`],
  ['7.00', mark, `${mark}2`],
]
  .map(
    ([sum, text, reference]) => `<Ntry><Amt Ccy="USD">${sum}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>
<BookgDt><Dt>${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}</Dt></BookgDt><AcctSvcrRef>${reference}</AcctSvcrRef>
<NtryDtls><TxDtls><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
  )
  .join('\n')}
</Stmt></BkToCstmrStmt></Document>`

test('billing imports a statement, confirms what is certain, matches the rest, and reads what is wrong', async ({
  page,
  complaints,
}) => {
  const email = await payer(page)
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value
  const asked = await page.request.post('/api/v1/invoices/-actions/requestProforma', {
    data: { net: 50 },
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': crypto.randomUUID() },
  })
  const { full_number: number, total } = await asked.json()
  const mark = `MARK${Date.now()}`
  await signIn(page, 'billing@demo.test')
  await page.goto(deskHome)
  await page.getByRole('navigation').getByRole('link', { name: m.desk_bank_title() }).click()
  await page.getByRole('button', { name: m.desk_bank_import() }).click()
  const dialog = page.getByRole('dialog')
  const choose = (content: string) =>
    dialog
      .getByLabel(m.desk_bank_file())
      .setInputFiles({ name: 'a.xml', mimeType: 'text/xml', buffer: Buffer.from(content) })
  await choose(statement(number, total.toFixed(2), mark).replace(iban, 'DE89370400440532013000'))
  await dialog.getByRole('button', { name: m.desk_bank_import_verb() }).click()
  await expect(dialog.getByRole('alert')).toContainText('DE89370400440532013000')
  await expectAccessible(page, 'import of a statement')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page, 'import of a statement in the dark')
  await page.emulateMedia({ colorScheme: 'light' })
  expect(complaints.splice(0)).toEqual([expect.stringContaining('DE89370400440532013000')])
  await choose(statement(number, total.toFixed(2), mark))
  await dialog.getByRole('button', { name: m.desk_bank_import_verb() }).click()
  await expect(dialog).toHaveCount(0)

  const paid = page.getByRole('row').filter({ hasText: number })
  await expect(paid).toContainText(m.desk_bank_certain())
  await expectAccessible(page, 'lines of the bank')
  await page
    .getByRole('button', { name: /\d/ })
    .filter({ hasText: m.desk_bank_confirm({ count: 1 }).slice(0, 8) })
    .click()
  await confirmVerb(dialog, /\d/, 'Statement of today')

  const strange = page.getByRole('row').filter({ hasText: mark })
  await strange.getByRole('button', { name: m.desk_bank_match() }).click()
  // The line is behind the dialog, which says what is decided about.
  await expect(dialog.getByText(mark, { exact: true })).toBeVisible()
  await expect(dialog.getByLabel(m.desk_bank_find())).toBeFocused()
  await dialog.getByLabel(m.desk_bank_find()).fill(`nobody ${mark}`)
  await expect(dialog.getByRole('status')).toHaveText(m.nothing_found())
  await dialog.getByLabel(m.desk_bank_find()).fill(email)
  // Without its styles, a circle as wide as the dialog pushes these words out of it.
  await expect(dialog.getByText(new RegExp(email))).toBeInViewport({ ratio: 1 })
  await dialog.getByRole('radio', { name: new RegExp(email) }).check()
  await confirmVerb(dialog, m.desk_bank_match_verb(), 'They called')
  await page.getByLabel(m.desk_clients_show()).selectOption('matched')
  await expect(page.getByRole('row').filter({ hasText: number })).toBeVisible()
  await expect(strange).toBeVisible()
})

test('billing names the columns of a CSV once, matches a line by a number, and takes that back', async ({
  page,
  complaints,
}) => {
  await payer(page)
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value
  const asked = await page.request.post('/api/v1/invoices/-actions/requestProforma', {
    data: { net: 61 },
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': crypto.randomUUID() },
  })
  const { full_number: number } = await asked.json()
  const mark = `CSV${Date.now()}`
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const lines = (amount: string, text: string) => `Day;Sum ${mark};Details\n${day};${amount};${text}\n`
  await signIn(page, 'billing@demo.test')
  await page.goto(`${deskHome}/bank`)
  const dialog = page.getByRole('dialog')
  const choose = async (content: string, isAnew = false) => {
    await page.getByRole('button', { name: m.desk_bank_import() }).click()
    await dialog
      .getByLabel(m.desk_bank_file())
      .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
    if (isAnew) await dialog.getByRole('checkbox', { name: m.desk_bank_ask_columns() }).check()
    await dialog.getByRole('button', { name: m.desk_bank_import_verb() }).click()
  }
  await choose(lines('50.00', mark))
  await dialog
    .getByRole('combobox', { name: new RegExp(`^${m.desk_bank_column_day()}( \\*)?$`) })
    .selectOption('Day')
  await dialog
    .getByRole('combobox', { name: new RegExp(`^${m.desk_bank_column_amount()}( \\*)?$`) })
    .selectOption(`Sum ${mark}`)
  await dialog
    .getByRole('combobox', { name: new RegExp(`^${m.desk_bank_column_text()}( \\*)?$`) })
    .selectOption('Details')
  // The first line of the file is shown as it would be read.
  await expect(dialog).toContainText(m.desk_bank_sample({ line: 2, value: mark }))
  await expect(dialog).toContainText(m.desk_bank_sample_no_day({ line: 2, value: day }))
  await expect(dialog).toContainText(m.desk_bank_sample_no_amount({ line: 2, value: '50.00' }))
  await dialog.getByLabel(m.desk_bank_day_format()).selectOption('YYYY-MM-DD')
  await expect(dialog).toContainText(
    m.desk_bank_sample_read({ line: 2, value: day, read: dayInWords(day, 'en') }),
  )
  await dialog.getByLabel(m.desk_bank_currency()).fill('USD')
  await expectAccessible(page, 'columns of a CSV')
  await dialog.getByRole('button', { name: m.desk_bank_import_verb() }).click()
  // What was chosen is still there when the file cannot be read so.
  await expect(dialog.getByRole('alert')).not.toBeEmpty()
  await expect(dialog.getByLabel(m.desk_bank_currency())).toHaveValue('USD')
  // The answers that ask for the columns and that refuse them.
  expect(complaints.splice(0)).toHaveLength(2)
  await dialog.getByLabel(m.desk_bank_decimal()).selectOption({ label: '1,234.56' })
  await expect(dialog).toContainText(m.desk_bank_sample_read({ line: 2, value: '50.00', read: '50.00' }))
  await dialog.getByRole('button', { name: m.desk_bank_import_verb() }).click()
  await expect(dialog).toHaveCount(0)
  // The same headings are known from now on.
  await choose(lines('2.00', `${mark} again`))
  await expect(dialog).toHaveCount(0)
  // What was named wrongly is asked for again.
  await choose(lines('3.00', `${mark} anew`), true)
  await expect(dialog.getByLabel(m.desk_bank_currency())).toBeVisible()
  expect(complaints.splice(0)).toHaveLength(1)
  await dialog.getByRole('button', { name: m.close() }).click()

  const line = page.getByRole('row').filter({ hasText: mark }).filter({ hasText: '$50.00' })
  await line.getByRole('button', { name: m.desk_bank_match() }).click()
  await dialog.getByLabel(m.desk_bank_find()).fill(number)
  await dialog.getByRole('radio', { name: new RegExp(`^${number} `) }).check()
  await confirmVerb(dialog, m.desk_bank_match_verb(), 'They called')
  await page.getByLabel(m.desk_clients_show()).selectOption('matched')
  await expect(line).toContainText(number)
  await line.getByRole('button', { name: m.desk_bank_undo() }).click()
  await confirmVerb(dialog, m.desk_bank_undo_verb(), 'Of another client')
  await expect(page.getByText(m.desk_bank_undo_done())).toBeVisible()
  await expect(line).toHaveCount(0)
  await page.goto(deskHome)
  await page
    .getByRole('link', { name: new RegExp(m.desk_need_bank_open({ count: 2 }).replace('2', '\\d+')) })
    .click()
  await expect(page.getByRole('row').filter({ hasText: mark }).first()).toBeVisible()
})

test('billing takes back a table whose amounts were read from a wrong column, and imports it rightly', async ({
  page,
  complaints,
  baseURL,
}) => {
  const mark = `BACK${Date.now()}`
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const table = `Day;Sum ${mark};Rest;Details;Ref\n${day};11.00;911.00;${mark};${mark}\n`
  await signIn(page, 'billing@demo.test')
  await page.goto(`${deskHome}/bank`)
  const dialog = page.getByRole('dialog')
  const pick = async (label: string, heading: string) =>
    dialog.getByRole('combobox', { name: new RegExp(`^${label}( \\*)?$`) }).selectOption(heading)
  const importBy = async (amount: string, isAnew: boolean) => {
    await page.getByRole('button', { name: m.desk_bank_import() }).click()
    await dialog
      .getByLabel(m.desk_bank_file())
      .setInputFiles({ name: `${mark}.csv`, mimeType: 'text/csv', buffer: Buffer.from(table) })
    if (isAnew) await dialog.getByRole('checkbox', { name: m.desk_bank_ask_columns() }).check()
    await dialog.getByRole('button', { name: m.desk_bank_import_verb() }).click()
    await pick(m.desk_bank_column_day(), 'Day')
    await pick(m.desk_bank_column_amount(), amount)
    await pick(m.desk_bank_column_text(), 'Details')
    await dialog
      .getByRole('combobox', { name: m.desk_bank_column_reference(), exact: true })
      .selectOption('Ref')
    await dialog.getByLabel(m.desk_bank_day_format()).selectOption('YYYY-MM-DD')
    await dialog.getByLabel(m.desk_bank_decimal()).selectOption({ label: '1,234.56' })
    await dialog.getByLabel(m.desk_bank_currency()).fill('USD')
    await dialog.getByRole('button', { name: m.desk_bank_import_verb() }).click()
    await expect(dialog).toHaveCount(0)
  }
  await importBy('Rest', false)
  const line = page
    .getByRole('table', { name: m.desk_bank_title() })
    .getByRole('row')
    .filter({ hasText: mark })
  await expect(line).toContainText('$911.00')
  const imports = page.getByRole('table', { name: m.desk_imports() })
  const statement = imports.getByRole('row').filter({ hasText: `${mark}.csv` })
  await expect(statement).toContainText('$911.00')

  await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
  await page.reload()
  const inTurn = page.getByRole('row').filter({ hasText: `${mark}.csv` })
  await inTurn.getByRole('button', { name: inRomanian(m.desk_imports_back), exact: true }).click()
  await expectRomanian(page, 'taking an import back')
  await page.context().addCookies([{ name: 'lang', value: 'en', url: baseURL ?? '' }])
  await page.reload()

  await statement.getByRole('button', { name: m.desk_imports_back(), exact: true }).click()
  await expect(dialog).toContainText(`${mark}.csv`)
  await expectAccessible(page, 'taking an import back')
  await confirmVerb(dialog, m.desk_imports_back_verb(), 'Wrong column')
  await expect(line).toHaveCount(0)
  await expect(statement).toContainText(m.desk_imports_back_done())
  await expect(statement.getByRole('button', { name: m.desk_imports_back(), exact: true })).toHaveCount(0)

  await importBy(`Sum ${mark}`, true)
  await expect(line).toContainText('$11.00')
  await expect(statement).toHaveCount(2)
  // Both imports asked for the columns.
  expect(complaints.splice(0)).toHaveLength(2)
})

test('billing takes back an import with a matched line, which stays, and is not there twice afterwards', async ({
  page,
  baseURL,
}) => {
  const email = await payer(page)
  const mark = `PART${Date.now()}`
  await signIn(page, 'billing@demo.test')
  await page.goto(`${deskHome}/bank`)
  const dialog = page.getByRole('dialog')
  const bringIn = async () => {
    await page.getByRole('button', { name: m.desk_bank_import() }).click()
    const buffer = Buffer.from(statement(`${mark} hosting`, '13.00', mark))
    await dialog
      .getByLabel(m.desk_bank_file())
      .setInputFiles({ name: `${mark}.xml`, mimeType: 'text/xml', buffer })
    await dialog.getByRole('button', { name: m.desk_bank_import_verb() }).click()
    await expect(dialog).toHaveCount(0)
  }
  const line = (amount: string) =>
    page
      .getByRole('table', { name: m.desk_bank_title() })
      .getByRole('row')
      .filter({ hasText: mark })
      .filter({ hasText: amount })
  const matchLine = async (amount: string) => {
    await line(amount).getByRole('button', { name: m.desk_bank_match() }).click()
    await dialog.getByLabel(m.desk_bank_find()).fill(email)
    await dialog.getByRole('radio', { name: new RegExp(email) }).check()
    await confirmVerb(dialog, m.desk_bank_match_verb(), 'They called')
    await expect(line(amount)).toHaveCount(0)
  }
  const imports = page.getByRole('table', { name: m.desk_imports() })
  const rows = imports.getByRole('row').filter({ hasText: `${mark}.xml` })
  const back = (of: Locator) => of.getByRole('button', { name: m.desk_imports_back(), exact: true })
  await bringIn()
  await matchLine('$13.00')

  await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
  await page.reload()
  const inTurn = page.getByRole('row').filter({ hasText: `${mark}.xml` })
  await inTurn.getByRole('button', { name: inRomanian(m.desk_imports_back), exact: true }).click()
  await expectRomanian(page, 'taking back an import with a matched line')
  await page.context().addCookies([{ name: 'lang', value: 'en', url: baseURL ?? '' }])
  await page.reload()

  await back(rows).click()
  await expect(dialog).toContainText(m.desk_imports_back_stay({ count: 1 }))
  await expectAccessible(page, 'taking back an import with a matched line')
  await confirmVerb(dialog, m.desk_imports_back_verb(), 'Wrong day')
  await expect(page.getByText(m.desk_imports_back_stayed({ lines: 1, stayed: 1 }))).toBeVisible()
  await expect(rows).toContainText(m.desk_imports_back_part({ count: 1 }))
  await expect(rows).toContainText('$13.00')
  await expect(back(rows)).toHaveCount(0)
  await expect(line('$7.00')).toHaveCount(0)

  await bringIn()
  await expect(page.getByText(m.desk_bank_imported({ imported: 1, lines: 2 }))).toBeVisible()
  await expect(line('$13.00')).toHaveCount(0)
  await matchLine('$7.00')
  // The newest is the first.
  await expect(rows.first()).toContainText(m.desk_imports_all_matched())
  await expect(back(rows)).toHaveCount(1)
})

test('billing finds the transfer that was recorded under a mistyped reference, and ties its line to it', async ({
  page,
  baseURL,
}) => {
  await payer(page)
  const api = async (path: string, data: object, reason = '') => {
    const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value
    const answer = await page.request.post(`/api/v1/${path}`, {
      data,
      headers: {
        authorization: `Bearer ${token}`,
        'idempotency-key': crypto.randomUUID(),
        ...(reason !== '' && { 'portico-reason': reason }),
      },
    })
    expect(answer.status(), await answer.text()).toBe(200)
    return answer.json()
  }
  // An amount that no other test has.
  const net = 71.37
  const { invoice_id, full_number: number, total } = await api('invoices/-actions/requestProforma', { net })
  const mark = `TYPO${Date.now()}`
  const typed = mark.replace('O', '0')
  const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)
  await signIn(page, 'billing@demo.test')
  const transfer = { amount: total, received_on: day, reference: typed }
  await api(`invoices/${invoice_id}/-actions/recordBankTransfer`, transfer, 'Statement on paper')
  await page.goto(`${deskHome}/bank`)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: m.desk_bank_import() }).click()
  const buffer = Buffer.from(statement(`${mark} hosting`, total.toFixed(2), mark))
  await dialog
    .getByLabel(m.desk_bank_file())
    .setInputFiles({ name: `${mark}.xml`, mimeType: 'text/xml', buffer })
  await dialog.getByRole('button', { name: m.desk_bank_import_verb() }).click()
  await expect(dialog).toHaveCount(0)

  const line = page.getByRole('row').filter({ hasText: `${mark} hosting` })
  const inWords = m.desk_bank_by_hand({ day: dayInWords(day, 'en'), reference: typed })
  await expect(line).toContainText(inWords)
  await expect(line).toContainText(m.desk_bank_line_likely())

  await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
  await page.reload()
  await line.getByRole('button', { name: inRomanian(m.desk_bank_match) }).click()
  await expect(
    dialog.getByRole('radio', {
      name: inRomanian(() => m.desk_bank_by_hand({ day: dayInWords(day, 'ro'), reference: typed })),
    }),
  ).toBeVisible()
  await expectRomanian(page, 'a line with a transfer that was recorded by hand')
  await page.context().addCookies([{ name: 'lang', value: 'en', url: baseURL ?? '' }])
  await page.reload()

  await line.getByRole('button', { name: m.desk_bank_match() }).click()
  await dialog.getByRole('radio', { name: inWords }).check()
  await expectAccessible(page, 'a line with a transfer that was recorded by hand')
  await confirmVerb(dialog, m.desk_bank_match_verb(), 'The same money')
  await expect(page.getByText(m.desk_bank_matched_by_hand())).toBeVisible()
  await page.getByLabel(m.desk_clients_show()).selectOption('matched')
  await expect(line).toContainText(number)
})
