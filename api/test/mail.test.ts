import PostalMime from 'postal-mime'
import { afterAll, expect, test, vi } from 'vitest'
import { ask, freePort, layCheckout, type PortalProcess, spawnPortal } from './support/portal-process.ts'
import { testSmtp } from './support/smtp.ts'
import { temporaryFolder } from './support/temporary.ts'

// The whole path of a letter, from a form to the mail server.

const { folder, remove } = temporaryFolder('portico')
const running: PortalProcess[] = []
afterAll(async () => {
  for (const { child, ended } of running) {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL')
    await ended
  }
  remove()
})

async function start(env: Record<string, string>): Promise<PortalProcess> {
  const portal = spawnPortal({ folder, port: await freePort(), env: { SEED: 'none', ...env } })
  running.push(portal)
  await portal.ready()
  return portal
}

const stop = async (portal: PortalProcess) => {
  running.splice(running.indexOf(portal), 1)
  expect((await portal.end('SIGTERM')).code).toBe(0)
}

const register = ({ port }: PortalProcess, email: string) =>
  fetch(`http://127.0.0.1:${port}/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      first_name: 'Ana',
      last_name: 'Marin',
      email,
      password: 'a long enough secret of mine',
      terms: true,
      language: 'ro',
    }),
  })

const address = 'https://portal.example'
const soon = { timeout: 15_000, interval: 100 }

test('a letter that waits when the process is killed is sent by the next one', {
  timeout: 90_000,
}, async () => {
  layCheckout(folder)
  const smtp = await testSmtp()
  smtp.mode = 'tempfail'
  const env = {
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Acme <mail@acme.example>',
    PUBLIC_URL: address,
  }
  const first = await start(env)
  // As once the first administrator has a second factor.
  await ask(folder, `insert into settings values ('set_up_at', to_jsonb(now()))`)
  expect((await register(first, 'ana@example.com')).status).toBe(200)
  const tried = () => ask(folder, 'select attempts from outbox_letters where attempts > 0')
  await vi.waitFor(async () => expect(await tried()).toHaveLength(1), soon)
  running.splice(0)
  await first.end('SIGKILL')

  smtp.mode = 'accept'
  const second = await start(env)
  // As `jobs.release` does once a process has been silent for a minute.
  for (const table of ['_private_jobs', '_private_job_queues'])
    await ask(folder, `update graphile_worker.${table} set locked_at = null, locked_by = null`)
  await ask(folder, 'update graphile_worker._private_jobs set run_at = now()')
  await vi.waitFor(() => expect(smtp.received).toHaveLength(1), soon)
  const [letter = { from: '', to: [], raw: '' }] = smtp.received
  expect(letter).toMatchObject({ from: 'mail@acme.example', to: ['ana@example.com'] })
  const { text = '', messageId } = await PostalMime.parse(letter.raw)
  const link = /https:\/\/portal\.example(\/verify-email\/\d+\/\S+)/.exec(text)?.[1]
  const answer = await fetch(`http://127.0.0.1:${second.port}/auth${link}`)
  expect(await answer.json()).toMatchObject({ status: true, email: 'ana@example.com' })
  await vi.waitFor(async () => {
    const rows = await ask(
      folder,
      'select message_id from outbox_letters where sent_at is not null and sealed is null',
    )
    expect(rows).toEqual([messageId?.slice(1, -'@portal.example>'.length)])
  }, soon)
  await stop(second)
})

test('without a mail server the start says that letters wait, and one that has a server sends them', {
  timeout: 90_000,
}, async () => {
  // At another address its database would make it a copy, which sends nothing anyway.
  const portal = await start({ SMTP_URL: '', PUBLIC_URL: address })
  // Lines of the log are written a few at a time.
  await vi.waitFor(
    () => expect(portal.output()).toMatch(/"level":40.*Letters wait, because no mail server is set/),
    soon,
  )
  expect((await register(portal, 'dan@example.com')).status).toBe(200)
  const jobs = `select id from graphile_worker.jobs where task_identifier = 'mail.send'`
  await vi.waitFor(async () => expect(await ask(folder, jobs)).toEqual([]), soon)
  const waiting = `select recipient from outbox_letters where sent_at is null and failed_at is null and sealed is not null`
  expect(await ask(folder, waiting)).toEqual(['dan@example.com'])
  await stop(portal)

  const smtp = await testSmtp()
  const next = await start({ SMTP_URL: smtp.url, PUBLIC_URL: address })
  await vi.waitFor(() => expect(smtp.received.map(({ to }) => to)).toEqual([['dan@example.com']]), soon)
  await vi.waitFor(async () => expect(await ask(folder, waiting)).toEqual([]), soon)
  await stop(next)
})
