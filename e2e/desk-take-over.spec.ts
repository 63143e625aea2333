import { spawn } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { confirmVerb } from './desk-verb.ts'
import { expect, signIn } from './fixtures.ts'
import { withOwnPortal } from './own-portal.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

const test = withOwnPortal({ ENGINE_ALLOWED_HOSTS: '127.0.0.1' })

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Adds an engine at the desk; returns its secret. */
async function addEngine(page: Page, url: string): Promise<string> {
  await page.getByRole('button', { name: m.desk_engines_add() }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(m.desk_engines_name()).fill('Old')
  await dialog.getByLabel(m.desk_engines_address()).fill(url)
  await dialog.getByLabel(m.desk_engines_add_default()).uncheck()
  await dialog.getByLabel(m.desk_verb_reason()).fill('The engine from before')
  await dialog.getByRole('button', { name: m.desk_engines_add_verb(), exact: true }).click()
  const secret = (await dialog.getByText(/^whsec_/).textContent()) ?? ''
  await dialog.getByRole('button', { name: m.desk_engines_secret_kept() }).click()
  return secret
}

async function startEngine(secret: string, port: number): Promise<() => void> {
  const child = spawn(process.execPath, ['engines/example/main.ts'], {
    cwd: path.resolve(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PORT: String(port), ENGINE_SECRETS: secret },
  })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  return () => void child.kill('SIGKILL')
}

/** Signs as the portal does (Standard Webhooks 1.0). */
function sign(secret: string, text: string): Record<string, string> {
  const [id, timestamp] = [`msg_${randomUUID()}`, String(Math.floor(Date.now() / 1000))]
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${digest}` }
}

/** Makes an account that is nobody's. */
async function addAccount(
  engine: { readonly url: string; readonly secret: string },
  [panelId, name, email]: readonly [number, string, string],
): Promise<void> {
  const post = async (at: string, body: object) => {
    const text = JSON.stringify(body)
    const headers = sign(engine.secret, text)
    const said = await (await fetch(`${engine.url}${at}`, { method: 'POST', headers, body: text })).text()
    return said === '' ? {} : JSON.parse(said)
  }
  const owner = { subject: 'before', display_name: 'Somebody', email }
  const made = { panel_id: panelId, name, plan: 'small', region: null, domain: null, owner }
  const { id } = await post('/v1/panels', made)
  await post(`/v1/panels/${id}/release`, { panel_id: panelId })
}

test('an administrator links the accounts that an engine has from before, and takes it back', async ({
  page,
  baseURL,
}) => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  await signIn(page, 'admin@demo.test')
  await page.goto(`${deskHome}/engines`)
  const secret = await addEngine(page, url)
  const stop = await startEngine(secret, port)
  try {
    await addAccount({ url, secret }, [1, 'bakery', 'ana@demo.test'])
    await addAccount({ url, secret }, [2, 'nobodys', 'nobody@elsewhere.example'])
    const row = page.getByRole('row').filter({ hasText: url })
    await row.getByRole('button', { name: m.desk_engines_probe() }).click()
    await expect(row).toContainText(m.desk_engines_state_up())

    await row.getByRole('button', { name: m.desk_accounts_open() }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('checkbox', { name: /^bakery/ })).toBeChecked()
    await expect(dialog.getByRole('checkbox', { name: /^nobodys/ })).toBeDisabled()
    const line = dialog.getByRole('listitem').filter({ hasText: 'bakery' })
    await expect(line).toContainText(m.desk_accounts_by_mail({ email: 'ana@demo.test' }))
    await expect(line).toContainText(m.desk_accounts_plan_unknown({ plan: 'small' }))
    await expectAccessible(page, 'accounts from before')
    const box = dialog.getByRole('checkbox', { name: /^bakery/ })
    await box.focus()
    await page.keyboard.press('x')
    await expect(box).not.toBeChecked()
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await expect(line).toBeFocused()
    await page.keyboard.press('x')
    await expect(box).toBeChecked()
    await confirmVerb(dialog, m.desk_accounts_verb({ accounts: 1 }), 'Moving in')
    await expect(page.getByText(m.desk_accounts_done({ linked: 1, refused: 0, unclear: 0 }))).toBeVisible()
    await expect(row).toContainText('1')

    await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
    await page.reload()
    await row.getByRole('button', { name: inRomanian(m.desk_accounts_open) }).click()
    await expect(dialog.getByRole('checkbox', { name: /^bakery/ })).toHaveCount(0)
    await expectRomanian(page, 'accounts from before')
    await dialog.getByRole('button', { name: inRomanian(() => m.desk_release_open({ linked: 1 })) }).click()
    await expectAccessible(page, 'undoing a take-over')
    await expectRomanian(page, 'undoing a take-over')
    await dialog.getByLabel(inRomanian(m.desk_verb_reason)).fill('The wrong engine')
    await dialog.getByRole('button', { name: inRomanian(() => m.desk_release_verb({ linked: 1 })) }).click()
    await expect(
      page.getByText(inRomanian(() => m.desk_release_done({ released: 1, left: 0 }))),
    ).toBeVisible()
  } finally {
    stop()
  }
})
