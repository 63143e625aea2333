// The baseline for the API: a bare node:http handler that checks the same token and returns the same document
// from the same PostgreSQL by one prepared statement through pg. It serves only three addresses.
import { createHmac, timingSafeEqual } from 'node:crypto'
import http from 'node:http'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.BENCH_DATABASE, max: 10 })
const key = Buffer.from(process.env.BENCH_TOKEN_KEY ?? '', 'base64url')

const text = `
  with page as (
    select * from projects where archived_at is null and client_id = $1 order by created_at, id limit 25
  )
  select w.id, w.name, w.client_id, w.created_at, w.updated_at,
    p.id as p_id, p.name as p_name, p.project_id as p_project_id, p.client_id as p_client_id, p.panel_engine_id as p_engine,
    p.status as p_status, p.region as p_region, p.plan_code as p_plan, p.synced_at as p_synced, p.created_at as p_created,
    p.updated_at as p_updated,
    (select count(*)::int from panel_resources r where r.panel_id = p.id and r.kind = 'server' and r.gone_at is null),
    (select count(*)::int from panel_resources r where r.panel_id = p.id and r.kind = 'cluster' and r.gone_at is null),
    (select count(*)::int from panel_resources r where r.panel_id = p.id and r.kind = 'domain' and r.gone_at is null),
    (select count(*)::int from projects c where c.archived_at is null and c.client_id = $1), p.failed_step,
    coalesce((select l.code from plans l where l.id = p.plan_id), p.plan_code), p.domain,
    (select case when c.state <> 'done' then c.state end from panel_plan_changes c where c.panel_id = p.id order by c.id desc limit 1),
    case when p.status = 'degraded' then (select r.name from panel_resources r where r.panel_id = p.id and r.gone_at is null
      and r.kind <> 'domain' and r.status in ('degraded', 'error') order by r.status = 'error' desc, r.name, r.id limit 1) end,
    (select coalesce(jsonb_agg(jsonb_build_object('code', s.code, 'since', s.since, 'resource', s.name, 'text', null)
        order by s.since, s.code), '[]')
      from (select distinct on (o.of, o.code) o.* from (
        select x ->> 'code' as code, x ->> 'since' as since, x ->> 'resource' as of, r.name
        from jsonb_array_elements(p.engine_reasons) x left join panel_resources r on r.panel_id = p.id and r.gone_at is null
          and r.kind || '/' || r.external_id = x ->> 'resource'
        union all
        select x ->> 'code', x ->> 'since', r.kind || '/' || r.external_id, r.name
        from panel_resources r cross join jsonb_array_elements(r.reasons) x
        where r.panel_id = p.id and r.gone_at is null and r.reasons <> '[]') o
      order by o.of, o.code, o.since limit 20) s),
    (select coalesce(jsonb_agg(word), '[]') from panel_engines e, unnest(array['series', 'audit']) word
      where e.id = p.panel_engine_id and e.capabilities -> word = 'true'),
    case when p.status = 'provisioning' then p.progress end,
    (select p.login_url from panel_engines e where e.id = p.panel_engine_id and e.capabilities -> 'sso' = 'false'),
    (select jsonb_build_object('plan_code', l.code, 'name_en', l.name_en, 'name_ro', l.name_ro, 'starts_on', a.starts_on,
        'problem', a.problem)
      from plan_assignments a join plans l on l.id = a.plan_id where a.panel_id = p.id and a.ended_at is null)
  from page w left join panels p on p.project_id = w.id and p.deleted_at is null
  where exists (select 1 from auth_sessions s where s.id = $2 and s.revoked_at is null and s.expires_at > now())
  order by w.created_at, w.id, p.id`

const moment = (value: string) => `${value.slice(0, 10)}T${value.slice(11, value.indexOf('+'))}Z`
const parsers: Record<number, (value: string) => unknown> = {
  [pg.types.builtins.TIMESTAMPTZ]: moment,
  [pg.types.builtins.INT8]: Number,
}
// The overloads of pg's own getTypeParser do not admit a plain wrapper.
const types = {
  getTypeParser: (oid: number) => parsers[oid] ?? pg.types.getTypeParser(oid),
} as pg.CustomTypesConfig

type Cells = readonly never[]

function relation(self: string, name: string) {
  return { links: { self: `${self}/relationships/${name}`, related: `${self}/${name}` } }
}

function panelOf(r: Cells) {
  const self = `/api/v1/panels/${r[5]}`
  return {
    type: 'panels',
    id: String(r[5]),
    attributes: {
      name: r[6],
      project_id: r[7],
      client_id: r[8],
      panel_engine_id: r[9],
      user_type: 0,
      status: r[10],
      status_reason: r[24],
      reasons: r[25],
      offers: r[26],
      progress: r[27],
      login_url: r[28],
      region: r[11],
      plan_code: r[21],
      domain: r[22],
      plan_change: r[23],
      planned_plan: r[29],
      servers_count: r[16],
      clusters_count: r[17],
      domains_count: r[18],
      failed_step: r[20],
      synced_at: r[13],
      createdAt: r[14],
      updatedAt: r[15],
    },
    relationships: {
      project: relation(self, 'project'),
      client: relation(self, 'client'),
      servers: relation(self, 'servers'),
      clusters: relation(self, 'clusters'),
      domains: relation(self, 'domains'),
    },
    links: { self },
    meta: {
      may: {
        update: true,
        delete: true,
        sync: true,
        plan: true,
        activity: true,
        audit: true,
        reach: true,
        quotePlan: true,
        changePlan: true,
        retryProvision: true,
        connect: true,
      },
    },
  }
}

function projectOf(r: Cells, panels: { type: string; id: string }[]) {
  const self = `/api/v1/projects/${r[0]}`
  return {
    type: 'projects',
    id: String(r[0]),
    attributes: { name: r[1], client_id: r[2], createdAt: r[3], updatedAt: r[4] },
    relationships: {
      panels: { ...relation(self, 'panels'), data: panels },
      client: relation(self, 'client'),
    },
    links: { self },
    meta: { may: { update: true, delete: true, addPanel: true } },
  }
}

function documentOf(rows: Cells[], url: string) {
  const data: unknown[] = []
  const included: unknown[] = []
  let linkage: { type: string; id: string }[] = []
  let last: unknown
  for (const r of rows) {
    if (r[0] !== last) {
      linkage = []
      last = r[0]
      data.push(projectOf(r, linkage))
    }
    if (r[5] === null) continue
    linkage.push({ type: 'panels', id: String(r[5]) })
    included.push(panelOf(r))
  }
  const total = Number(rows[0]?.[19] ?? 0)
  const pages = Math.ceil(total / 25)
  const page = (n: number) => `/api/v1/projects?include=panels&page%5Bsize%5D=25&page%5Bnumber%5D=${n}`
  return {
    jsonapi: { version: '1.1' },
    links: { self: url, first: page(1), prev: null, next: pages > 1 ? page(2) : null, last: page(pages) },
    data,
    included,
    meta: { page: { number: 1, size: 25, total, pages }, may: { create: true } },
  }
}

/** The session and client of a token with a valid signature and expiry. */
function check(header: string | undefined): { session: string; client: number } | undefined {
  const [head = '', body = '', signature = ''] = (header ?? '').slice(7).split('.')
  const expected = createHmac('sha256', key).update(`${head}.${body}`).digest()
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const claims: { exp: number; sid: string } = JSON.parse(Buffer.from(body, 'base64url').toString())
  if (claims.exp * 1000 < Date.now()) return undefined
  return { session: claims.sid, client: Number(process.env.BENCH_CLIENT) }
}

const countriesBody = Buffer.from(process.env.BENCH_COUNTRIES ?? '', 'base64')

async function listBody(who: { client: number; session: string }, url: string): Promise<Buffer> {
  const query = { name: 'list', text, values: [who.client, who.session], rowMode: 'array' as const, types }
  const { rows } = await pool.query<never[]>(query)
  return Buffer.from(JSON.stringify(documentOf(rows, url)))
}

const userText = `
  select c.*, l.code as language, to_jsonb(e) as "clientEntity"
  from auth_sessions s join auth_accounts a on a.id = s.account_id join clients c on c.auth_id = a.id
    join languages l on l.id = c.language_id left join client_entities e on e.client_id = c.id
  where s.id = $1 and s.revoked_at is null and s.expires_at > now() and a.disabled_at is null`

type Named = Record<string, unknown>

const shape: Named = JSON.parse(Buffer.from(process.env.BENCH_USER ?? '', 'base64').toString() || '{}')
const entityShape: Named = (shape.clientEntity ?? {}) as Named // In the portal's format.

const pick = (names: object, row: Named, otherwise: Named) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, name in row ? row[name] : otherwise[name]]))

async function userBody(session: string): Promise<Buffer> {
  const { rows } = await pool.query<Named>({ name: 'user', text: userText, values: [session], types })
  const row = rows[0] ?? {}
  // The row of the entity, or null.
  const entity = row.clientEntity && pick(entityShape, row.clientEntity as Named, {})
  return Buffer.from(JSON.stringify({ ...pick(shape, row, shape), clientEntity: entity }))
}

async function bodyOf(url: string, who: { client: number; session: string }): Promise<Buffer> {
  if (url.startsWith('/api/v1/countries')) return countriesBody
  return url === '/api/user' ? userBody(who.session) : listBody(who, url)
}

async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const who = check(request.headers.authorization)
  if (!who) {
    response.writeHead(401).end()
    return
  }
  const url = request.url ?? ''
  const body = await bodyOf(url, who)
  response
    .writeHead(200, { 'content-type': 'application/vnd.api+json', 'content-length': body.length })
    .end(body)
}

const server = http.createServer((request, response) => {
  answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
})
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('listening'))
