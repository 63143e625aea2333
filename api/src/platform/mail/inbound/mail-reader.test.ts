import { expect, test } from 'vitest'
import { readMailApart } from './mail-reader.ts'

const from = 'From: Ana <ana@example.com>'

test('a mail is read, with what is attached to it', async () => {
  const part = (headers: readonly string[], body: string) => ['--b', ...headers, '', body].join('\r\n')
  const raw = [
    from,
    'Content-Type: multipart/mixed; boundary=b',
    '',
    part(['Content-Type: text/plain'], 'See the log.'),
    part(['Content-Type: text/plain', 'Content-Disposition: attachment; filename=a.log'], 'one line'),
    '--b--',
  ].join('\r\n')
  const mail = await readMailApart(Buffer.from(raw), undefined)
  expect(mail).toMatchObject({ from: 'ana@example.com', text: 'See the log.' })
  const [file] = mail.attachments
  expect([file?.filename, Buffer.from(file?.content ?? []).toString()]).toEqual(['a.log', 'one line\n'])
})

test('a mail that takes too long to read is given up, and others do not wait for it', async () => {
  const raw = [
    from,
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b\r\nContent-Type: text/plain\r\n\r\nwords',
    `--b\r\nContent-Type: text/html\r\n\r\n${'\n'.repeat(2_000_000)}x`,
    '--b--',
  ].join('\r\n')
  let longest = 0
  let last = performance.now()
  const ticking = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 10)
  await expect(readMailApart(Buffer.from(raw), undefined, 1500)).rejects.toThrow('took too long')
  clearInterval(ticking)
  // Read here, it would take minutes.
  expect(longest).toBeLessThan(5000)
})
