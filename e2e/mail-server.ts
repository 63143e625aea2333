import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect } from '@playwright/test'
import { SMTPServer } from 'smtp-server'

type Letter = { readonly to: readonly string[]; readonly text: string }

export type MailServer = {
  readonly url: string
  /** The first link in the newest letter to an address that has one with such a path; waits for it. */
  readonly linkTo: (address: string, path: RegExp) => Promise<string>
  readonly close: () => void
}

/** The text of a letter: soft line breaks of quoted-printable are joined, and its escapes read. */
const plain = (raw: string): string =>
  raw
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** A mail server on the loopback that keeps what it gets. */
export async function startMailServer(): Promise<MailServer> {
  const letters: Letter[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
      stream.on('end', () => {
        const text = plain(Buffer.concat(chunks).toString('utf8'))
        letters.push({ to: envelope.rcptTo.map(({ address }) => address), text })
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  // A server that listens on TCP has such an address.
  const { port } = server.server.address() as AddressInfo
  const linkTo = async (address: string, path: RegExp) => {
    let found: string | undefined
    await expect(() => {
      const texts = letters.filter(({ to }) => to.includes(address)).map(({ text }) => text)
      const links = texts.flatMap((text) => text.match(/https?:\/\/[^\s"<>]+/g) ?? [])
      found = links.findLast((link) => path.test(link))
      expect(found, `a letter to ${address}`).toBeDefined()
    }).toPass()
    return found ?? ''
  }
  return { url: `smtp://127.0.0.1:${port}`, linkTo, close: () => server.close() }
}
