import { isIPv4 } from 'node:net'

/** Whether a server is on this machine, so that unencrypted traffic is safe. */
export const isThisMachine = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'))

// Matches addresses of pages, and anything as long as a secret: a server may quote what it refuses.
const quoted = /\S+:\/\/\S+|[\w+/=-]{20,}/g

/** The message of a mail server, shortened for a log and without quoted input. */
export const shortenMessage = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(quoted, '…').slice(0, 200)

/** The host and credentials in an address such as imaps://user:password@host:993. */
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
