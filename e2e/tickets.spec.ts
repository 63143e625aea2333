import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { api } from './api.ts'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { newcomer } from './newcomer.ts'
import { answerField, staffIn, ticketOf, unique } from './ticket.ts'

const hans = 'hans@demo.test'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const log = { name: 'nginx.log', mimeType: 'text/plain', buffer: Buffer.from('GET / 502\n') }

const reference = (id: string) => ({ ticket: { type: 'tickets', id } })

/** Drags a picture over the answer and lets go of it there. */
async function drop(page: Page, name: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([bytes, filename]) => {
      const dragged = new DataTransfer()
      dragged.items.add(new File([Uint8Array.from(bytes)], filename, { type: 'image/png' }))
      return dragged
    },
    [[...png], name] as const,
  )
  await answerField(page).dispatchEvent('dragenter', { dataTransfer })
  await expect(page.getByText('Drop the files here')).toBeVisible()
  await answerField(page).dispatchEvent('drop', { dataTransfer })
  await expect(page.getByText('Drop the files here')).toHaveCount(0)
}

/** Begins an upload on a slow line, looks on until a part of it has been sent, and stops it. */
async function stopHalfway(page: Page): Promise<void> {
  const line = await page.context().newCDPSession(page)
  const speed = { offline: false, latency: 0, downloadThroughput: -1 }
  await line.send('Network.emulateNetworkConditions', { ...speed, uploadThroughput: 262_144 })
  await attach(page, { ...log, name: 'long.log', buffer: Buffer.alloc(8 * 1_048_576, 'a') })
  const sent = page.getByRole('progressbar', { name: 'Uploading long.log' })
  await expect(sent).toHaveAttribute('aria-valuenow', /^[1-9]\d?$/)
  await page.getByRole('button', { name: 'Stop uploading long.log' }).click()
  await expect(page.getByText('long.log')).toHaveCount(0)
  await line.send('Network.emulateNetworkConditions', { ...speed, uploadThroughput: -1 })
  await line.detach()
}

async function attach(page: Page, ...files: (typeof log)[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).click()
  await (await chooser).setFiles(files)
}

test('a ticket is opened with a file, answered while one looks, rated, closed and opened again', async ({
  page,
  browser,
  baseURL,
}) => {
  await signIn(page, hans)
  await page.goto('/add-ticket/billing')
  const department = page.getByRole('combobox', { name: 'Department' })
  await expect(department).toHaveValue('billing')
  // The mark of a choice has one size, whichever styles a page has loaded.
  const mark = () => department.evaluate((one) => one.parentElement?.querySelector('svg')?.clientWidth)
  expect(await mark()).toBe(18)
  await page.getByRole('button', { name: 'Open ticket' }).click()
  await expect(page.getByText('Subject is required')).toBeVisible()
  const subject = unique('Invoice of October')
  await page.getByLabel('Subject').fill(subject)
  await page.getByLabel('Description').fill('It says **19 %**.\nShould it?')
  await page.getByRole('textbox', { name: 'Also notify' }).fill('books@werft.test')
  await attach(page, log, {
    name: 'setup.exe',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from('MZ'),
  })
  await expect(page.getByRole('alert').filter({ hasText: 'Files can be' })).toBeVisible()
  await page.getByRole('button', { name: 'Remove setup.exe' }).click()
  await page.getByRole('button', { name: 'Open ticket' }).click()
  await expect(page.getByRole('heading', { level: 1, name: subject })).toBeVisible()
  await expect(page).toHaveTitle(`${subject} · Carpat Cloud`)
  await expect(page.getByText('books@werft.test')).toBeVisible()
  const opening = page.getByRole('article', { name: 'Hans' })
  await expect(opening.getByText('19 %')).toHaveCSS('font-weight', '700')
  const download = page.waitForEvent('download')
  await opening.getByRole('button', { name: 'Download nginx.log' }).click()
  expect((await download).suggestedFilename()).toBe('nginx.log')

  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const staff = await api(await staffIn(browser, baseURL))
  await staff.create('ticket-messages', { body: 'Only we see this', visibility: 'internal' }, reference(id))
  await staff.create('ticket-messages', { body: 'Yes, until December.' }, reference(id))
  const answer = page.getByRole('article', { name: 'Sorin' })
  await expect(answer.getByText('Yes, until December.')).toBeVisible()
  await expect(page.getByText('Only we see this')).toHaveCount(0)
  await expect(page.getByText('Awaiting you', { exact: true })).toBeVisible()
  await answer.getByRole('button', { name: 'Yes' }).click()
  await expect(answer.getByRole('button', { name: 'Yes' })).toHaveAttribute('aria-pressed', 'true')

  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(page.getByText('Closed', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Reopen' }).click()
  await expect(page.getByText('Awaiting support')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Tickets', exact: true }).click()
  await page.getByRole('searchbox').fill(subject)
  await expect(page).toHaveURL(/search=Invoice/)
  await page.getByRole('combobox', { name: 'Department' }).selectOption('billing')
  await expect(page.getByRole('rowheader')).toHaveCount(1)
  await expect(page).toHaveURL(/department=billing/)
  const exported = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const lines = (await readFile(await (await exported).path(), 'utf8')).trim().split('\r\n')
  expect(lines).toEqual([expect.stringContaining('number,subject'), expect.stringContaining(`,${subject},`)])
  await page.getByRole('combobox', { name: 'Status' }).selectOption('on_hold')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByRole('searchbox')).toHaveValue('')
  await expect(page).toHaveURL('/tickets')
  await expect(page.getByRole('link', { name: subject })).toBeVisible()
  await page.getByRole('combobox', { name: 'Panel' }).selectOption('intranet')
  await expect(page).toHaveURL(/\/tickets\/\d+$/)
  await expect(page.getByRole('link', { name: subject })).toHaveCount(0)
})

test('a draft with files survives a reload, uploads retry or stop, and signing out removes all', async ({
  page,
}) => {
  await signIn(page, hans)
  const id = await ticketOf(page, 'Written in two goes', 'As it says')
  await page.goto(`/view-ticket/${id}`)
  await answerField(page).fill('Half of the')
  await page.route('**/-actions/upload?*', (route) => route.abort(), { times: 1 })
  await attach(page, log)
  await page.getByRole('button', { name: 'Retry uploading nginx.log' }).click()
  await expect(page.getByRole('button', { name: 'Remove nginx.log' })).toBeVisible()
  // A pasted screenshot has no file name.
  await answerField(page).evaluate(
    (field, bytes) => {
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File([Uint8Array.from(bytes)], 'image.png', { type: 'image/png' }))
      field.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }))
    },
    [...png],
  )
  await expect(page.getByRole('button', { name: 'Remove image.png' })).toBeVisible()
  await page.reload()
  await expect(answerField(page)).toHaveValue('Half of the')
  await expect(page.getByRole('list', { name: 'Attachments' }).getByRole('listitem')).toHaveCount(2)
  await page.getByRole('button', { name: /Account menu of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/login')
  await signIn(page, hans)
  await page.goto(`/view-ticket/${id}`)
  await expect(answerField(page)).toHaveValue('')
  await answerField(page).fill('The whole')
  await stopHalfway(page)
  await drop(page, 'screen.png')
  await expect(page.getByRole('button', { name: 'Remove screen.png' })).toBeVisible()
  await answerField(page).press('Control+Enter')
  await expect(page.getByRole('log').getByText('The whole')).toBeVisible()
  await page.getByRole('log').getByRole('button', { name: 'Show screen.png' }).click()
  const picture = page.getByRole('dialog', { name: 'screen.png' }).getByRole('img', { name: 'screen.png' })
  await expect(picture).toHaveJSProperty('naturalWidth', 1)
  await page.keyboard.press('Escape')
  await expect(picture).toHaveCount(0)
  await expect(answerField(page)).toHaveValue('')
})

test('hostile Markdown is text, loads nothing, and leads nowhere that one cannot see', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).hostname))
  page.on('dialog', (dialog) => {
    throw new Error(`A script ran: ${dialog.message()}`)
  })
  await signIn(page, hans)
  const id = await ticketOf(
    page,
    '<img src=x onerror=alert(1)>',
    [
      '<script>alert(1)</script>',
      '<img src="https://evil.test/a.png" onerror="alert(1)">',
      '![tracker](https://evil.test/b.png)',
      '[press](javascript:alert(1)) [data](data:text/html,x) [path](//evil.test)',
      '[guide](https://docs.test/guide) https://docs.test/bare',
    ].join('\n\n'),
  )
  await page.goto(`/view-ticket/${id}`)
  const message = page.getByRole('article', { name: 'Hans' })
  await expect(message.getByText('<script>alert(1)</script>')).toBeVisible()
  await expect(message.getByText('[press](javascript:alert(1))')).toBeVisible()
  await expect(message.getByRole('img')).toHaveCount(0)
  const links = message.getByRole('link')
  await expect(links).toHaveText(['tracker', 'guide', 'https://docs.test/bare'])
  for (const link of await links.all())
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow')
  expect(asked.filter((host) => host !== 'localhost')).toEqual([])
})

test('staff work off the queue on the same pages, and see no others', async ({ page, browser, baseURL }) => {
  await signIn(page, hans)
  const subject = unique('Which plan is right')
  const id = await ticketOf(page, subject, 'For a shop', 'intranet')
  const panels = await (await api(page)).list('panels')
  const panel = panels.find(({ attributes }) => attributes.name === 'intranet')?.id ?? ''
  await page.goto(`/tickets/${panel}`)
  await expect(page.getByRole('link', { name: subject })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Panel' })).toHaveValue(panel)
  await page.getByRole('link', { name: 'Open new ticket' }).first().click()
  await expect(page).toHaveURL(`/add-ticket/technical/${panel}`)
  await expect(page.getByRole('combobox', { name: 'Department' })).toHaveValue('technical')
  await expect(page.getByRole('combobox', { name: 'Panel' })).toHaveValue(panel)
  const staff = await staffIn(browser, baseURL)
  await staff.goto('/billing')
  await expect(staff).toHaveURL('/desk')
  await staff.goto('/tickets')
  await expect(staff.getByRole('button', { name: 'Share access' })).toHaveCount(0)
  await staff.getByRole('link', { name: subject }).click()
  await expect(staff.getByRole('heading', { level: 1, name: subject })).toBeVisible()
  await staff.getByRole('combobox', { name: 'Assigned to' }).selectOption('Sorin')
  await staff.getByRole('button', { name: 'Ready answers' }).click()
  await staff.getByRole('menuitem', { name: 'Solved?' }).click()
  await expect(answerField(staff)).toHaveValue(/^Hello Hans,.+ticket T-.+Sorin$/s)
  await answerField(staff).fill('')
  await staff.getByRole('radiogroup', { name: 'Message type' }).getByText('Internal note').click()
  await staff.getByRole('textbox', { name: 'Internal note' }).fill('He asked in May too')
  await staff.getByRole('button', { name: 'Add note' }).click()
  await expect(staff.getByRole('log').getByText('He asked in May too')).toBeVisible()
  await staff.getByRole('button', { name: 'Put on hold' }).click()
  await expect(staff.getByText('On hold', { exact: true })).toBeVisible()
  await staff.goto('/tickets?assigned=me')
  await expect(staff.getByRole('link', { name: subject })).toBeVisible()

  await page.goto(`/view-ticket/${id}`)
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.getByRole('button', { name: 'Allow access' }).click()
  await expect(page.getByRole('button', { name: 'End access' })).toBeVisible()
  await staff.goto(`/view-ticket/${id}`)
  const connect = staff.getByRole('button', { name: 'Connect to intranet' })
  const [tab] = await Promise.all([staff.waitForEvent('popup'), connect.click()])
  await expect(tab.getByText('Sorin (support)')).toBeVisible()
  await page.getByRole('button', { name: 'End access' }).click()
  await expect(page.getByRole('button', { name: 'Allow access' })).toBeVisible()
  await signIn(page, 'ioana@demo.test')
  await page.goto(`/view-ticket/${id}`)
  await expect(page.getByRole('heading', { name: 'No such ticket' })).toBeVisible()
})

test('a guest finds the tickets of an account that is open to them', async ({ page }) => {
  await signIn(page, 'mihai@demo.test')
  await page.goto('/tickets')
  const ofAna = page
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: 'Checkout answers 502 now and then' }) })
  await expect(ofAna).toContainText('Ana Marin')
  const account = page.getByRole('combobox', { name: 'Account' })
  await expect(account.getByRole('option', { selected: true })).toHaveText('All accounts')
  await account.selectOption('Mihai Dobre')
  await expect(ofAna).toHaveCount(0)
  await account.selectOption('Ana Marin')
  await expect(ofAna).toBeVisible()
  await expect(page).toHaveURL(/account=\d+/)
  // The options of the list's filters belong to that account too.
  await page.getByRole('combobox', { name: 'Workspace' }).selectOption({ index: 1 })
  await expect(page).toHaveURL(/workspace=/)
  await expect(page.getByRole('link', { name: 'Checkout answers 502 now and then' })).toBeVisible()
  const panel = page.getByRole('combobox', { name: 'Panel' })
  await expect(panel.getByRole('option', { name: 'web-eu1' })).toHaveCount(1)
  await expect(panel.getByRole('group', { name: 'Shared with you' })).toHaveCount(0)
})

test('the list names the last writer, and says "you" only for the reader', async ({ page }) => {
  const lastOf = (subject: string) =>
    page.getByRole('row').filter({ has: page.getByRole('link', { name: subject }) })
  await signIn(page)
  await page.goto('/tickets')
  await expect(lastOf('Checkout answers 502 now and then')).toContainText('from Mihai Dobre')
  await signIn(page, 'mihai@demo.test')
  await page.goto('/tickets')
  await expect(lastOf('Checkout answers 502 now and then')).toContainText('from you')
})

for (const look of looks) {
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('a ticket with an answer breaks no rule and fits', async ({ page, browser, baseURL }) => {
      // The limit is five tickets a minute, and the other tests open some, so this one needs a new person.
      await newcomer(page)
      const id = await ticketOf(
        page,
        'Looked at',
        'With `code`:\n\n```\na very long line of it that goes on\n```',
      )
      const staff = await api(await staffIn(browser, baseURL))
      await staff.create('ticket-messages', { body: '> quoted\n\n1. first' }, reference(id))
      await page.goto(`/view-ticket/${id}`)
      await expect(page.getByRole('button', { name: 'Yes' })).toBeVisible()
      await attach(page, { name: 'setup.exe', mimeType: 'text/plain', buffer: Buffer.from('MZ') })
      await expectAccessible(page, 'a ticket')
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(sideways).toBeLessThanOrEqual(0)
    })
  })
}
