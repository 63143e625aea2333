import { type AddressInfo, createServer } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { testImap } from '#test/support/imap.ts'
import { imapMailbox } from './imap-mailbox.ts'

// Longer than a busy machine takes.
const limits = { patience: 10_000, largest: 10_000 }
const mail = (text: string) => `Subject: Re: Slow\r\nMessage-ID: <${text}@example.com>\r\n\r\n${text}\r\n`

type Taken = { text: string; id: string }

/** A visitor that keeps what it is handed. */
function keeper() {
  const taken: Taken[] = []
  const take = async (raw: Buffer, id: string) => void taken.push({ text: raw.toString('latin1'), id })
  return { taken, take }
}

test('hands over each mail once, as it came and in its order, and marks it as read', async () => {
  const imap = await testImap()
  const box = imapMailbox(imap.url, limits)
  const { taken, take } = keeper()
  expect(await box.visit(take)).toEqual({ taken: 0, tooLarge: 0 })
  imap.bring(mail('first'))
  imap.bring(mail('second'))
  expect(await box.visit(take)).toEqual({ taken: 2, tooLarge: 0 })
  expect(taken.map(({ text }) => text)).toEqual([mail('first'), mail('second')])
  expect(imap.seen()).toEqual([true, true])
  imap.bring(mail('third'))
  expect(await box.visit(take)).toEqual({ taken: 1, tooLarge: 0 })
  expect(new Set(taken.map(({ id }) => id)).size).toBe(3)
})

test('marks nothing that was not taken, and goes on from there', async () => {
  const imap = await testImap()
  const box = imapMailbox(imap.url, limits)
  const { taken, take } = keeper()
  imap.bring(mail('first'))
  imap.bring(mail('second'))
  const failing = box.visit(async (raw, id) => {
    if (taken.length === 1) throw new Error('The database is away.')
    await take(raw, id)
  })
  await expect(failing).rejects.toThrow('The database is away.')
  expect(imap.seen()).toEqual([true, false])
  expect(await box.visit(take)).toEqual({ taken: 1, tooLarge: 0 })
  expect(taken.map(({ text }) => text)).toEqual([mail('first'), mail('second')])
})

test('hands a mail over by the same id again when it was cut off before the mark', async () => {
  const imap = await testImap()
  const box = imapMailbox(imap.url, limits)
  const { taken, take } = keeper()
  imap.bring(mail('only'))
  const cut = box.visit(async (raw, id) => {
    await take(raw, id)
    imap.cut()
  })
  await expect(cut).rejects.toThrow('not read to its end')
  expect(imap.seen()).toEqual([false])
  expect(await box.visit(take)).toEqual({ taken: 1, tooLarge: 0 })
  expect(taken).toHaveLength(2)
  expect(taken[0]).toEqual(taken[1])
})

test('leaves a mail that is too large where it is, says so once, and takes those after it', async () => {
  const imap = await testImap()
  const box = imapMailbox(imap.url, limits)
  const { taken, take } = keeper()
  imap.bring(mail('x'.repeat(20_000)))
  imap.bring(mail('small'))
  expect(await box.visit(take)).toEqual({ taken: 1, tooLarge: 1 })
  expect(await box.visit(take)).toEqual({ taken: 0, tooLarge: 0 })
  expect(imap.seen()).toEqual([false, true])
  expect(taken).toHaveLength(1)
})

test('mails that are too large do not hold up others, however many there are', async () => {
  const imap = await testImap()
  for (let n = 0; n < 201; n++)
    imap.server.appendMessage('INBOX', ['\\Flagged'], false, mail('x'.repeat(10_000)))
  imap.bring(mail('small'))
  imap.server.appendMessage('INBOX', ['\\Flagged'], false, mail('small and flagged'))
  const { taken, take } = keeper()
  expect(await imapMailbox(imap.url, limits).visit(take)).toEqual({ taken: 2, tooLarge: 0 })
  expect(taken.map(({ text }) => text)).toEqual([mail('small'), mail('small and flagged')])
})

test('does not go on where nothing can be marked', async () => {
  const imap = await testImap()
  imap.bring(mail('first'))
  imap.bring(mail('second'))
  imap.server.setCommandHandler('UID STORE', (connection, parsed, data, done) => {
    const no = { tag: parsed.tag, command: 'NO', attributes: [{ type: 'TEXT', value: 'Read-only' }] }
    connection.send(no, 'REFUSED', parsed, data)
    done()
  })
  const { taken, take } = keeper()
  await expect(imapMailbox(imap.url, limits).visit(take)).rejects.toThrow('did not set \\Seen')
  expect(taken).toHaveLength(1)
})

test('says why it failed without what it was to keep to itself', async () => {
  const imap = await testImap()
  const wrong = imapMailbox(imap.url.replace('p%2Fw', 'guess'), limits)
  const error: unknown = await wrong.visit(async () => undefined).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(Error)
  const { message, cause } = error instanceof Error ? error : new Error('None was thrown.')
  expect(message).toContain('not read to its end')
  expect(JSON.stringify([message, error, cause])).not.toMatch(/guess|mailbox@|of the mailbox/)
})

test('sends no password over an open line to another machine, nor to a server it cannot trust', async () => {
  // An address of this machine that does not look like one.
  const open = await testImap()
  const logins: unknown[] = []
  for (const command of ['LOGIN', 'AUTHENTICATE PLAIN'])
    open.server.setCommandHandler(command, (_connection, parsed) => void logins.push(parsed))
  const plain = imapMailbox(open.url.replace('127.0.0.1', '0.0.0.0'), limits)
  await expect(plain.visit(async () => undefined)).rejects.toThrow(/STARTTLS|TLS/)
  const sealed = await testImap({ secureConnection: true })
  sealed.server.setCommandHandler('LOGIN', (_connection, parsed) => void logins.push(parsed))
  const secure = imapMailbox(sealed.url.replace('imap:', 'imaps:'), limits)
  await expect(secure.visit(async () => undefined)).rejects.toThrow(/certificate|DEPTH_ZERO|too small/i)
  expect(logins).toEqual([])
})

test('ends in time when a server says nothing, and finds it again when it is back', async () => {
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  afterAll(() => silent.close())
  // A server that listens on TCP has such an address.
  const { port } = silent.address() as AddressInfo
  const begun = performance.now()
  const box = imapMailbox(`imap://me:pw@127.0.0.1:${port}`, { ...limits, patience: 300 })
  await expect(box.visit(async () => undefined)).rejects.toThrow('not read to its end')
  expect(performance.now() - begun).toBeLessThan(10_000)
  const imap = await testImap()
  imap.bring(mail('later'))
  const { take } = keeper()
  const back = imapMailbox(imap.url, limits)
  const gone = back.visit(async () => imap.cut())
  await expect(gone).rejects.toThrow('not read to its end')
  expect(await back.visit(take)).toEqual({ taken: 1, tooLarge: 0 })
})
