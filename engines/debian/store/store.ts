import { createHash, randomBytes } from 'node:crypto'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { schema } from './schema.ts'

type Fields = Readonly<Record<string, unknown>>
type Row = Record<string, SQLInputValue>

const dayMs = 86_400_000
const answersMs = 30 * dayMs
const auditMs = 90 * dayMs
const replayMs = 600_000
/** A moment of load is no reason to write of. */
const lastingMs = 300_000

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

export type Visit = { readonly panel: string; readonly subject: string; readonly about: Fields }

/**
 * The data that is not in LXD or PowerDNS: counters, usage, messages to send, ids seen, answers given, sessions and the audit.
 * Losing it loses unsent usage and signs people out, and no panel.
 */
export class Store {
  readonly db: DatabaseSync
  readonly #loads = new Map<string, number>()
  readonly #statements = new Map<string, StatementSync>()

  constructor(file: string) {
    this.db = new DatabaseSync(file)
    this.db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 5000')
    this.db.exec(schema)
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.db.prepare(sql)
    this.#statements.set(sql, known)
    return known
  }

  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).changes)
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    // SQLite answers rows of plain values.
    return this.#statement(sql).all(...values) as Row[]
  }

  /** All of it or nothing. */
  together<T>(act: () => T): T {
    this.db.exec('begin immediate')
    try {
      const result = act()
      this.db.exec('commit')
      return result
    } catch (error) {
      this.db.exec('rollback')
      throw error
    }
  }

  /** Whether a webhook-id is new; it is remembered for as long as its message would be believed. */
  isNew(id: string, now = Date.now()): boolean {
    this.run('delete from seen_ids where at < ?', now - replayMs)
    return this.run('insert or ignore into seen_ids values (?, ?)', id, now) === 1
  }

  /** The answer to a request that was done before. */
  answerTo(key: string): Fields | undefined {
    const [row] = this.all('select body from answers where key = ? and body is not null', key)
    return row && JSON.parse(String(row.body))
  }

  /** Notes that a request is being done. Answers since when, if it was begun before and got no answer. */
  beginAnswer(key: string, now = Date.now()): number | undefined {
    if (this.run('insert or ignore into answers (key, at) values (?, ?)', key, now) === 1) return undefined
    return Number(this.all('select at from answers where key = ?', key)[0]?.at)
  }

  keepAnswer(key: string, body: Fields, now = Date.now()): Fields {
    this.run(
      'insert into answers values (?, ?, ?) on conflict do update set body = excluded.body',
      key,
      JSON.stringify(body),
      now,
    )
    return body
  }

  /** Notes what a person did. */
  note(act: {
    panel: string
    actor: Fields
    action: string
    target?: string | null
    ip?: string | null
  }): void {
    const { panel, actor, action, target = null, ip = null } = act
    this.run(
      'insert into audit (panel, at, actor, action, target, ip) values (?, ?, ?, ?, ?, ?)',
      ...[panel, Date.now(), JSON.stringify(actor), action, target, ip],
    )
  }

  /** A page of what people did in a panel, newest first, before an entry. */
  audit(panel: string, before: number, most: number): Row[] {
    return this.all(
      'select * from audit where panel = ? and id < ? and at > ? order by id desc limit ?',
      ...[panel, before, Date.now() - auditMs, most],
    )
  }

  /** A one-time token, of which only the hash is kept. */
  addLink({ panel, subject, about }: Visit, expires: number): string {
    const token = randomBytes(32).toString('base64url')
    this.run(
      'insert into visits values (?, ?, ?, ?, ?, ?)',
      ...[hashOf(token), 'link', panel, subject, JSON.stringify(about), expires],
    )
    return token
  }

  /** Exchanges a link for a session, once and in time. */
  enter(token: string, idleMs: number, now = Date.now()): string | undefined {
    const [link] = this.all(
      `delete from visits where hash = ? and kind = 'link' returning panel, subject, about, expires`,
      hashOf(token),
    )
    if (!link || Number(link.expires) < now) return undefined
    const session = randomBytes(32).toString('base64url')
    const { panel = '', subject = '', about = '' } = link
    this.run(
      'insert into visits values (?, ?, ?, ?, ?, ?)',
      hashOf(session),
      'session',
      panel,
      subject,
      about,
      now + idleMs,
    )
    return session
  }

  /** The person of a session; using it extends it. */
  visit(session: string, idleMs: number, now = Date.now()): Visit | undefined {
    const [row] = this.all(
      `update visits set expires = ? where hash = ? and kind = 'session' and expires > ? returning panel, subject, about`,
      ...[now + idleMs, hashOf(session), now],
    )
    return (
      row && { panel: String(row.panel), subject: String(row.subject), about: JSON.parse(String(row.about)) }
    )
  }

  /** Ends the links and sessions of a panel, or only those of one person. */
  endVisits(panel: string, subject?: string): void {
    if (subject === undefined) this.run('delete from visits where panel = ?', panel)
    else this.run('delete from visits where panel = ? and subject = ?', panel, subject)
  }

  /** Ends one session. */
  leave(session: string): void {
    this.run('delete from visits where hash = ?', hashOf(session))
  }

  forgetPanel(panel: string): void {
    this.endVisits(panel)
    this.run('delete from audit where panel = ?', panel)
  }

  /** The load of a server at the last reading, in percent of what it has. */
  loadOf(uuid: string): number {
    return this.#loads.get(uuid) ?? 0
  }

  setLoad(uuid: string, percent: number): void {
    this.#loads.set(uuid, percent)
  }

  /** Why a server is not as it should be. */
  reasonsOf(uuid: string): Fields[] {
    const long = Date.now() - lastingMs
    return this.all('select * from reasons where uuid = ? and since < ? order by since', uuid, long).map(
      ({ code, since, text }) => ({ code, since: new Date(Number(since)).toISOString(), text }),
    )
  }

  setReason(uuid: string, code: string, text: string | null, now: number): void {
    if (text === null) this.run('delete from reasons where uuid = ? and code = ?', uuid, code)
    else
      this.run(
        'insert into reasons values (?, ?, ?, ?) on conflict do update set text = excluded.text',
        ...[uuid, code, now, text],
      )
  }

  /** Forgets what is past its time. */
  sweep(now = Date.now()): void {
    this.run('delete from answers where at < ?', now - answersMs)
    this.run('delete from audit where at < ?', now - auditMs)
    this.run('delete from visits where expires < ?', now)
    this.run('delete from steps where step < ?', now - 2 * dayMs)
    this.run('delete from counters where at < ?', now - 40 * dayMs)
  }

  /** When something was last done; undefined if never. */
  mark(name: string): number | undefined {
    const [row] = this.all('select at from marks where name = ?', name)
    return row && Number(row.at)
  }

  setMark(name: string, at: number): void {
    this.run('insert into marks values (?, ?) on conflict do update set at = excluded.at', name, at)
  }

  close(): void {
    this.db.close()
  }
}
