import { isIPv4 } from 'node:net'

/** Whether a server is on this machine, where what is sent to it is seen by nobody. */
export const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'))

// Addresses of pages, and anything as long as a secret: a server may quote what it refuses.
const quoted = /\S+:\/\/\S+|[\w+/=-]{20,}/g

/** What a mail server said, short enough for a log and without what it quotes. */
export const saidBriefly = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(quoted, '…').slice(0, 200)

/** Where a mail server is and who asks there, of an address such as imaps://user:password@host:993. */
export function serverAt(address: string) {
  const { hostname, port, username, password } = new URL(address)
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    ...(port !== '' && { port: Number(port) }),
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
  }
}
