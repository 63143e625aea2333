import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { confirmVerb } from './desk-verb.ts'
import { expect, signIn, test } from './fixtures.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

const iban = 'RO49AAAA1B31007593840000'

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

type Money = { readonly day: string; readonly text: string; readonly reference: string }

const camt = ({ day, text, reference }: Money) => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>${iban}</IBAN></Id></Acct>
<Ntry><Amt Ccy="USD">17.31</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${day}</Dt></BookgDt>
<AcctSvcrRef>${reference}</AcctSvcrRef><NtryDtls><TxDtls><RltdPties><Dbtr><Nm>Lumen Studio SRL</Nm></Dbtr></RltdPties>
<RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`

const mt940 = ({ day, text, reference }: Money) => {
  const date = day.slice(2).replaceAll('-', '')
  return `:20:ST1
:25:${iban}
:28C:00012/001
:60F:C${date}USD1000,00
:61:${date}${date.slice(2)}C17,31NTRFNONREF//${reference}
:86:?20${text}?32Lumen Studio SRL
:62F:C${date}USD1017,31
`
}

test('billing says of a line of another day in another format that it is the same money, and other money', async ({
  page,
  baseURL,
}) => {
  const mark = `DBT${Date.now() % 1_000_000_000}`
  await signIn(page, 'billing@demo.test')
  await page.goto(`${deskHome}/bank`)
  const dialog = page.getByRole('dialog')
  const bringIn = async (name: string, content: string) => {
    await page.getByRole('button', { name: m.desk_bank_import() }).click()
    await dialog
      .getByLabel(m.desk_bank_file())
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })
    await dialog.getByRole('button', { name: m.desk_bank_import_verb() }).click()
    await expect(dialog).toHaveCount(0)
  }
  const [one, two] = ['1', '2'].map((n) => ({
    day: dayBefore(3),
    text: `invoice ${n} ${mark}`,
    reference: mark + n,
  }))
  if (!one || !two) throw new Error('There is no payment.')
  for (const [n, money] of [one, two].entries()) await bringIn(`${mark}-${n}.xml`, camt(money))
  for (const [n, money] of [one, two].entries())
    await bringIn(`${mark}-${n}.sta`, mt940({ ...money, day: dayBefore(1) }))
  await expect(
    page.getByText(m.desk_bank_imported_doubtful({ imported: 0, lines: 1, doubtful: 1 })).first(),
  ).toBeVisible()
  const row = (money: Money) => page.getByRole('row').filter({ hasText: money.text })

  await page.getByRole('link', { name: m.desk_bank_doubtful_link({ count: 2 }).replace(/ ?2$/, '') }).click()
  // What is compared is side by side: both days, and the file of the other line.
  await expect(row(one)).toContainText(m.desk_bank_line_doubtful())
  await expect(row(one)).toContainText(m.desk_bank_doubtful_other())
  await expect(row(one)).toContainText(`${mark}-0.xml`)
  await expectAccessible(page, 'doubtful lines of the bank')
  await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
  await page.reload()
  await row(one)
    .getByRole('button', { name: inRomanian(m.desk_bank_same) })
    .click()
  await expectRomanian(page, 'a doubtful line of the bank')
  await page.context().addCookies([{ name: 'lang', value: 'en', url: baseURL ?? '' }])
  await page.reload()

  await row(one).getByRole('button', { name: m.desk_bank_same() }).click()
  await expect(dialog).toContainText(`${mark}-0.xml`)
  await expectAccessible(page, 'a doubtful line of the bank')
  await confirmVerb(dialog, m.desk_bank_same_verb(), 'The value date')
  await expect(page.getByText(m.desk_bank_same_done())).toBeVisible()
  await expect(row(one)).toHaveCount(0)
  await row(two).getByRole('button', { name: m.desk_bank_other() }).click()
  await confirmVerb(dialog, m.desk_bank_other_verb(), 'Paid twice')
  await expect(row(two)).toHaveCount(0)

  await page.getByLabel(m.desk_clients_show()).selectOption('open')
  await expect(row(two)).toHaveCount(2)
  await expect(row(one)).toHaveCount(1)
  await page.getByLabel(m.desk_clients_show()).selectOption('same')
  await expect(row(one)).toContainText(m.desk_bank_same_other())
  await row(one).getByRole('button', { name: m.desk_bank_undo() }).click()
  await confirmVerb(dialog, m.desk_bank_undo_verb(), 'Not sure')
  await page.goto(deskHome)
  const need = new RegExp(m.desk_need_bank_doubtful({ count: 1 }).replace(/^1 line/, '\\d+ lines?'))
  await page.getByRole('link', { name: need }).click()
  await expect(row(one)).toContainText(m.desk_bank_line_doubtful())
})
