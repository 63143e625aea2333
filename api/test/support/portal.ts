import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { Language } from '@portico/contract/refusals/refusal.ts'
import { hourMs } from '@portico/contract/time.ts'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import pino from 'pino'
import { afterAll } from 'vitest'
import { readEnv } from '#config/env.ts'
import { deskFileRoutes } from '#desk/exports/desk-files.routes.ts'
import { keyActor } from '#identity/api-keys/api-keys.ts'
import { accountingExportRoutes } from '#money/exports/accounting-exports.routes.ts'
import { recordedOffice, type VatOffice } from '#money/invoices/vat/vat-office.ts'
import { paymentRoutes, paymentsOf } from '#money/payments/payments.routes.ts'
import type { Payments } from '#money/payments/providers/providers.ts'
import { planFigures } from '#money/pricing/plan-figures.ts'
import type { TaxOffice } from '#money/tax-office/tax-office.ts'
import type { Clock } from '#platform/clock.ts'
import type { Actor } from '#platform/context.ts'
import type { Connection } from '#platform/db/connection.ts'
import { Reads } from '#platform/db/hosts/reads.ts'
import { Pool } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { noScanner } from '#platform/files/file-scanner.ts'
import { type FileStorage, localStorage } from '#platform/files/file-storage.ts'
import { serverOptions } from '#platform/http/connections/server-options.ts'
import { boundSlowClients } from '#platform/http/connections/slow-clients.ts'
import { clientErrorHandler, frameworkErrors, routeNotFound, sendFailure } from '#platform/http/errors.ts'
import { languageOf } from '#platform/http/language.ts'
import { trustOf } from '#platform/http/trust.ts'
import type { Served } from '#platform/jsonapi/declare/served.ts'
import { jsonapi } from '#platform/jsonapi/http/plugin.ts'
import { fixedSettings, type Settings } from '#platform/settings/settings.ts'
import { makeVault } from '#platform/vault.ts'
import { accessOf, holdGrants, readGrants } from '#sharing/grants.ts'
import { staffActor, staffRole } from '#staff/roles.ts'
import { models } from '#start/models.ts'
import { served as ours } from '#start/registry.ts'
import type { Engines } from '#workspaces/engines/panel-engine.ts'
import { Answer } from './answer.ts'
import { testDatabase } from './database.ts'
import { only, TestEngine } from './engine.ts'
import { holdAnswers } from './openapi.ts'
import { tokenSecret } from './secret.ts'
import { type Shared, share } from './share.ts'
import { temporaryFolder } from './temporary.ts'
import { type Undoable, undoable } from './undone.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE' | 'PUT' | 'OPTIONS'

export type Sent = {
  /** A value that is sent as JSON, or the text or bytes themselves. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A caller: a client by id, or an anonymous one. */
export type Visitor = {
  readonly token: string | undefined
  call(method: Method, url: string, sent?: Sent): Promise<Answer>
  get(url: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  post(url: string, body: unknown): Promise<Answer>
  patch(url: string, body: unknown): Promise<Answer>
  delete(url: string, body?: unknown): Promise<Answer>
}

export type TestPortal = {
  readonly app: FastifyInstance
  readonly pool: Pool
  readonly connection: Connection
  readonly payments: Payments
  /** Unexpected errors that the server logged. */
  readonly bugs: Error[]
  /** The clock of the server, which a test may move. */
  readonly clock: { time: Date | undefined }
  as(client: number | { readonly id: number }): Visitor
  /** A member of staff, by admins.id, who signed in just now, or an hour ago. */
  staff(admin: number, signedIn?: 'an hour ago'): Visitor
  /** A program with a key, by api_keys.id. */
  key(id: string): Visitor
  readonly nobody: Visitor
  /** Opens `owner`'s account to `guest`, as an accepted invitation does (see `share`). */
  share(...parties: ToShare): Promise<Shared>
  /** Serves on a free port of the loopback and returns the origin. */
  listen(): Promise<string>
  /** What requests change meanwhile is undone afterwards. */
  undone: Undoable['undone']
}

function payloadOf(body: unknown): string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
}

/** A caller of an application with a bearer token. */
export function visitor(app: FastifyInstance, token: string | undefined): Visitor {
  const call = async (method: Method, url: string, { body, headers = {} }: Sent = {}) => {
    const response = await app.inject({
      method,
      url,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/vnd.api+json' }),
        ...(token?.startsWith('staff-') && { 'portico-reason': 'A test asks for it' }),
        ...headers,
      },
      ...(body !== undefined && { payload: payloadOf(body) }),
    })
    return new Answer(response.statusCode, response.headers, response.body)
  }
  return {
    token,
    call,
    get: (url, headers = {}) => call('GET', url, { headers }),
    post: (url, body) => call('POST', url, { body }),
    patch: (url, body) => call('PATCH', url, { body }),
    delete: (url, body) => call('DELETE', url, { body }),
  }
}

type ToShare = Parameters<typeof share> extends [Pool, ...infer Rest] ? Rest : never

/**
 * Signs in by a token that names the client: what the engine does with an actor is tested here, not where it comes from. What
 * is opened to the client is read by a pool of its own, as part of signing in and not of what is asked.
 */
function authenticator(pool: Pool, clock: Clock) {
  return async (request: FastifyRequest): Promise<Actor> => {
    const [, kind, name, before] =
      /^Bearer (client|staff|key)-(\w+)(-before)?$/.exec(request.headers.authorization ?? '') ?? []
    if (kind === 'key' && name !== undefined) {
      request.language = 'of a program'
      return readKey(pool, name)
    }
    const id = Number(name)
    if (!id) throw refuse('unauthenticated', {}, { headers: { 'www-authenticate': 'Bearer' } })
    if (kind === 'staff')
      return readStaff(pool, id, languageOf(request), new Date(clock.now().getTime() - (before ? hourMs : 0)))
    const grants = await readGrants(pool, [id], clock.now())
    return {
      kind: 'client',
      id,
      accountId: randomUUID(),
      sessionId: randomUUID(),
      emailVerified: true,
      language: languageOf(request),
      authenticatedAt: clock.now().toISOString(),
      ...accessOf(id, grants.get(id) ?? []),
    }
  }
}

async function readStaff({ kysely }: Pool, id: number, language: Language, signedIn: Date): Promise<Actor> {
  const found = await kysely
    .selectFrom('admins')
    .select(['id', 'role'])
    .where('id', '=', id)
    .executeTakeFirst()
  return staffActor(
    { id, role: staffRole.parse(found?.role) },
    {
      accountId: randomUUID(),
      sessionId: randomUUID(),
      emailVerified: true,
      language,
      authenticatedAt: signedIn.toISOString(),
    },
  )
}

async function readKey({ kysely }: Pool, id: string): Promise<Actor> {
  const key = await kysely
    .selectFrom('api_keys')
    .select(['id', 'client_id', 'scopes', 'project_id as project'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return keyActor(key, { id: key.client_id, accountId: randomUUID() })
}

/** A logger that collects errors instead of printing them. */
function bugLog(bugs: Error[]) {
  const keep = { write: () => undefined }
  return pino(
    {
      level: 'error',
      hooks: {
        logMethod(inputArgs, method) {
          const [first] = inputArgs
          if (typeof first === 'object' && first !== null && 'err' in first && first.err instanceof Error)
            bugs.push(first.err)
          method.apply(this, inputArgs)
        },
      },
    },
    keep,
  )
}

/**
 * The engine behind the real error handling and limits, on a database of this file's own. `prepare` runs before the first
 * request, to create the tables of types that only tests have.
 */
export async function testPortal(
  options: {
    served?: readonly Served[]
    prepare?: (pool: Pool) => Promise<void>
    poolSize?: number
    engines?: Engines
    /** The tax office; by default one that knows no number. */
    vatOffice?: VatOffice
    /** The configuration; by default one without variables. */
    settings?: (pool: Pool) => Promise<Settings>
    /** The office that documents are sent to; by default none. */
    taxOffice?: TaxOffice
    /** The payment provider; by default the sandbox. */
    payments?: (pool: Pool) => Payments
    /** Where files are stored; by default a folder of this portal. */
    storage?: FileStorage
    /** False where what is read was written past all rules, so that answers are not what they are described as. */
    held?: boolean
  } = {},
): Promise<TestPortal> {
  const { pool: real, connection } = await testDatabase(options.poolSize)
  const { pool, undone } = undoable(real)
  const aside = new Pool(connection, 4, () => undefined)
  await options.prepare?.(pool)
  const bugs: Error[] = []
  const clock: { time: Date | undefined } = { time: undefined }
  const serverClock: Clock = { now: () => clock.time ?? new Date() }
  const app = Fastify({
    ...serverOptions(bugLog(bugs), trustOf([]), trustOf([])),
    frameworkErrors: frameworkErrors({}),
    clientErrorHandler: clientErrorHandler({}),
  })
  boundSlowClients(app)
  app.setErrorHandler(sendFailure)
  app.setNotFoundHandler((request) => {
    throw routeNotFound(request)
  })
  const temporary = temporaryFolder()
  const payments =
    options.payments?.(pool) ??
    paymentsOf(
      { stripe: undefined, publicUrl: 'http://localhost:3000' },
      { pool, clock: serverClock, secret: tokenSecret },
    )
  const vault = makeVault(tokenSecret)
  const authenticate = authenticator(aside, serverClock)
  await paymentRoutes(app, { pool, vault, payments })
  const storage = options.storage ?? (await localStorage(temporary.folder))
  const exporting = { pool, reads: new Reads(pool), clock: serverClock, models, authenticate, storage }
  await accountingExportRoutes(app, exporting)
  await deskFileRoutes(app, exporting)
  await jsonapi(app, {
    reads: new Reads(pool),
    pool,
    clock: serverClock,
    vault,
    ports: {
      engines: options.engines ?? only(new TestEngine()),
      payments,
      vatOffice: options.vatOffice ?? recordedOffice([]),
      planFigures,
      taxOffice: options.taxOffice ?? null,
      settings:
        (await options.settings?.(pool)) ?? fixedSettings({ ...readEnv({ SEED: 'none' }), tokenSecret }),
      admission: { pool, storage, scanner: noScanner },
      documentFiles: { pool, storage },
    },
    served: options.served ?? Object.values(ours),
    authenticate,
    hold: holdGrants,
  })
  if (options.held !== false) holdAnswers(app)
  await app.ready()
  afterAll(async () => {
    await app.close()
    await aside.close()
    temporary.remove()
  })
  return {
    app,
    pool,
    undone,
    connection,
    payments,
    bugs,
    clock,
    as: (client) => visitor(app, `client-${typeof client === 'number' ? client : client.id}`),
    staff: (admin, signedIn) => visitor(app, `staff-${admin}${signedIn === undefined ? '' : '-before'}`),
    key: (id) => visitor(app, `key-${id}`),
    nobody: visitor(app, undefined),
    share: (...parties) => share(pool, ...parties),
    listen: async () => {
      await app.listen({ host: '127.0.0.1', port: 0 })
      // A server that listens on TCP has such an address.
      const { port } = app.server.address() as AddressInfo
      return `http://127.0.0.1:${port}`
    },
  }
}
