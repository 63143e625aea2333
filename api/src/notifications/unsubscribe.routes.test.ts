import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { smtpMailer } from '#platform/mail/transport/smtp-mailer.ts'
import { makeAccount } from '#test/support/account.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { testPostOffice, testVault } from '#test/support/mail.ts'
import { testSmtp } from '#test/support/smtp.ts'
import { queueMail } from './queue-letter.ts'
import { sendLetter } from './send-letters.ts'
import { unsubscribePath } from './unsubscribe.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const { app } = await testApp(pool)
const ion = await makeAccount(pool, { projects: 0, panels: 0 })
const dan = await makeAccount(pool, { projects: 0, panels: 0 })

const mailOff = async ({ id }: { readonly id: number }) =>
  (await db.selectFrom('clients').select('mail_off').where('id', '=', id).executeTakeFirstOrThrow()).mail_off
const form = 'application/x-www-form-urlencoded'
const said = 'List-Unsubscribe=One-Click'
const post = (url: string, type = form, payload = said) =>
  app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload })

test('a letter with news has the headers by which mail programs stop it, and no other letter has them', async () => {
  const smtp = await testSmtp()
  const publicUrl = 'https://portal.example'
  const mailFrom = { name: 'Portico', address: 'no-reply@portal.example' }
  const mailer = smtpMailer({ smtpUrl: smtp.url, mailFrom, publicUrl }, 5000)
  const post = testPostOffice(pool, { mailer, publicUrl })
  const words = { name: 'Ion', title: 'A new region', lines: ['Frankfurt'] }
  const unsubscribe = unsubscribePath(testVault, ion.id)
  for (const letter of [
    { kind: 'newsletter', ...words, unsubscribe },
    { kind: 'announcement', ...words },
  ] as const)
    await queueMail({ tx: db, vault: testVault }, { to: ion.email, language: 'en', letter })
  const rows = await db.selectFrom('outbox_letters').select('id').orderBy('id').execute()
  for (const { id } of rows) await sendLetter(post, id, { last: true })
  const [news, notice] = await Promise.all(smtp.received.map(({ raw }) => PostalMime.parse(raw)))
  const headersOf = (mail: typeof news) =>
    Object.fromEntries((mail?.headers ?? []).map(({ key, value }) => [key, value]))
  expect(headersOf(news)).toMatchObject({
    'list-unsubscribe': `<${publicUrl}${unsubscribe}>`,
    'list-unsubscribe-post': said,
  })
  expect(news?.text).toContain(publicUrl + unsubscribe)
  expect(headersOf(notice)).not.toHaveProperty('list-unsubscribe')
  mailer.close()
})

test.each([
  [form, said],
  [
    'multipart/form-data; boundary=x',
    '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
  ],
  ['application/json', '{}'],
])('a link turns news off without signing in, by %s, once and again', async (type, payload) => {
  await db
    .updateTable('clients')
    .set({ mail_off: ['invoice_issued'] })
    .where('id', '=', ion.id)
    .execute()
  const link = unsubscribePath(testVault, ion.id)
  // A scanner of links opens the address.
  await app.inject({ method: 'GET', url: link, headers: { accept: 'text/html' } })
  expect(await mailOff(ion)).toEqual(['invoice_issued'])
  for (let n = 0; n < 2; n += 1) {
    const answer = await post(link, type, payload)
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: true }])
    expect(await mailOff(ion)).toEqual(['invoice_issued', 'newsletter'])
  }
  expect(await mailOff(dan)).toEqual([])
})

test('a forged link, one of something else, and one of a closed account turn nothing off', async () => {
  const link = unsubscribePath(testVault, dan.id)
  const at = link.length - 5
  const forged = `${link.slice(0, at)}${link[at] === 'A' ? 'B' : 'A'}${link.slice(at + 1)}`
  const texts = [
    'unsubscribe newsletter 999999',
    `newsletter ${dan.id}`,
    `unsubscribe newsletter ${dan.id}0x`,
  ]
  const sealed = texts.map((text) => `/unsubscribe/${testVault.seal(text).toString('base64url')}`)
  const refusal = async (url: string) => {
    const answer = await post(url)
    return [answer.statusCode, answer.json().errors[0].code]
  }
  for (const url of [forged, ...sealed, '/unsubscribe/x', `/unsubscribe/${dan.id}`])
    expect(await refusal(url)).toEqual([404, 'link_invalid'])
  const closed_at = systemClock.now().toISOString()
  await db.updateTable('clients').set({ status: 4, closed_at }).where('id', '=', dan.id).execute()
  expect(await refusal(link)).toEqual([404, 'link_invalid'])
  expect(await mailOff(dan)).toEqual([])
})
