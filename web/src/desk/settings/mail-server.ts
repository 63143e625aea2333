/** The parts of an address of a mail server, as people know them. */
export type MailServer = {
  readonly host: string
  readonly port: string
  readonly user: string
  readonly password: string
  readonly isStartTls: boolean
}

const form =
  /^(?<scheme>smtps?):\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<host>[^@/]*?)(?::(?<port>\d*))?\/?$/i

function decoded(text = ''): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // A half of an escape is being typed.
  }
}

/** The parts of an address such as `smtps://user:password@mail.example.com:465`; undefined for another text. */
export function serverIn(address: string): MailServer | undefined {
  const { scheme, user, password, host = '', port = '' } = form.exec(address.trim())?.groups ?? {}
  if (scheme === undefined) return undefined
  const isStartTls = scheme.toLowerCase() === 'smtp'
  return { host, port, user: decoded(user), password: decoded(password), isStartTls }
}

/** A server as one address, which is empty when nothing of it is known. */
export function addressOf({ host, port, user, password, isStartTls }: MailServer): string {
  if (`${host}${port}${user}${password}` === '') return ''
  const secret = password === '' ? '' : `:${encodeURIComponent(password)}`
  const login = `${user}${password}` === '' ? '' : `${encodeURIComponent(user)}${secret}@`
  return `${isStartTls ? 'smtp' : 'smtps'}://${login}${host.trim()}${port === '' ? '' : `:${port}`}`
}
