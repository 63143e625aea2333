import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeVariables } from './describe-variables.ts'
import { readEnv } from './env.ts'
import { variables } from './env-variables.ts'

function mistakes(source: Record<string, string>): string {
  try {
    readEnv(source)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

test('without settings the portal is a demo on this machine only', () => {
  expect(readEnv({})).toEqual({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    dataDir: path.resolve('data'),
    databaseUrl: undefined,
    standbys: 0,
    seed: 'demo',
    workers: true,
    simulatedEngine: true,
    rateLimitScale: 1,
    simSpeed: 1,
    logLevel: 'info',
    trustedProxies: [],
    hstsSubdomains: true,
    act: true,
    proxyDecidesTraces: false,
    poolSize: 10,
    usageKeptDays: 100,
    metricsNetworks: [],
    metricsToken: undefined,
    tokenSecret: undefined,
    smtpUrl: undefined,
    mailFrom: { name: '', address: 'no-reply@localhost' },
    googleIssuer: 'https://accounts.google.com',
    googleClientId: undefined,
    googleClientSecret: undefined,
    countryLookupUrl: 'https://ip2c.org/self',
    engineAllowedHosts: [],
    replyAddress: 'reply@support.demo.test',
    sandbox: true,
    fromDesk: [],
  })
})

test('a database of its own means no demo, and listening everywhere', () => {
  const env = readEnv({ DATABASE_URL: 'postgres://portico:secret@db/portico' })
  expect(env).toMatchObject({ seed: 'none', host: '0.0.0.0' })
})

const stripe = (mode: string) => ({
  STRIPE_SECRET_KEY: `sk_${mode}_12345678`,
  STRIPE_PUBLISHABLE_KEY: `pk_${mode}_12345678`,
  STRIPE_WEBHOOK_SECRET: 'whsec_12345678',
})
const google = { GOOGLE_CLIENT_ID: 'portico', GOOGLE_CLIENT_SECRET: 'hidden' }
const bucket = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' }
const REPLY_ADDRESS = 'reply@support.example'

test.each<[string, Record<string, string>]>([
  ['NODE_ENV', { NODE_ENV: 'production', ALLOW_SANDBOX_PAYMENTS: '1' }],
  ['NODE_ENV', { NODE_ENV: 'Production', ALLOW_SANDBOX_PAYMENTS: '1' }],
  ['NODE_ENV', { NODE_ENV: 'prod', ALLOW_SANDBOX_PAYMENTS: '1' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'https://portal.example.com' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'http://localhost.example.com' }],
  ['STRIPE_SECRET_KEY', stripe('live')],
  ['STRIPE_SECRET_KEY', { ...stripe('live'), STRIPE_SECRET_KEY: 'rk_live_12345678' }],
  ['STRIPE_SECRET_KEY', { ...stripe('test'), STRIPE_SECRET_KEY: 'sk_org_live_12345678' }],
  ['STRIPE_PUBLISHABLE_KEY', { ...stripe('test'), STRIPE_PUBLISHABLE_KEY: 'pk_live_12345678' }],
  ['SMTP_URL', { SMTP_URL: 'smtps://me:pw@mail.example.com' }],
  ['IMAP_URL', { IMAP_URL: 'imaps://me:pw@mail.example.com', REPLY_ADDRESS }],
  ['S3_ENDPOINT', { ...bucket, S3_ENDPOINT: 'https://s3.example.com' }],
  ['GOOGLE_CLIENT_ID', google],
  ['GOOGLE_ISSUER', { ...google, GOOGLE_ISSUER: 'https://issuer.example' }],
])('%s of a portal for real people: nothing is a demo, and SEED=demo is refused', (name, source) => {
  expect(readEnv(source).seed).toBe('none')
  const refused = mistakes({ ...source, SEED: 'demo' })
  expect(refused).toMatch(new RegExp(`SEED: found "demo" together with .*\\b${name}\\b`))
  expect(refused).not.toMatch(/12345678|hidden|pw@/)
  expect(mistakes({ ...source, SEED: 'none' })).toBe('')
})

test.each<Record<string, string>>([
  stripe('test'),
  { PUBLIC_URL: 'http://127.0.0.1:8080' },
  { SMTP_URL: 'smtp://LOCALHOST:2525', IMAP_URL: 'imap://me:pw@[::1]:1143' },
  { ...bucket, S3_ENDPOINT: 'http://localhost:9000' },
  { ...google, GOOGLE_ISSUER: 'http://127.0.0.1:4000' },
  { NODE_ENV: 'development' },
  { NODE_ENV: '', SMTP_URL: ' ' },
])('test keys and what stands in on this machine can be tried out with a demo: %j', (source) => {
  expect(readEnv(source).seed).toBe('demo')
  expect(readEnv({ ...source, SEED: 'demo' }).seed).toBe('demo')
})

test('a replica to read from is one server, of a database that is configured', () => {
  const DATABASE_READ_URL = 'postgres://portico:hidden@replica/portico'
  const DATABASE_URL = 'postgres://db/portico'
  expect(readEnv({ DATABASE_URL, DATABASE_READ_URL }).databaseReadUrl).toBe(DATABASE_READ_URL)
  expect(mistakes({ DATABASE_READ_URL })).toContain(
    'DATABASE_READ_URL is only for a database of DATABASE_URL',
  )
  for (const more of [',other/portico', '/portico?target_session_attrs=read-write']) {
    const refused = mistakes({ DATABASE_URL, DATABASE_READ_URL: `postgres://portico:hidden@replica${more}` })
    expect(refused).toContain('DATABASE_READ_URL: found a value (not shown)')
  }
})

test('each host of the database but one is a standby, unless their number is given', () => {
  const several = 'postgres://one,two,three/portico'
  expect(readEnv({}).standbys).toBe(0)
  expect(readEnv({ DATABASE_URL: 'postgres://db/portico' }).standbys).toBe(0)
  expect(readEnv({ DATABASE_URL: several }).standbys).toBe(2)
  const pooler = { DATABASE_URL: 'postgres://pooler/portico', DATABASE_POOLER: 'transaction' }
  expect(readEnv({ ...pooler, DATABASE_DIRECT_URL: several }).standbys).toBe(2)
  expect(readEnv({ DATABASE_URL: several, DATABASE_STANDBYS: '1' }).standbys).toBe(1)
  expect(mistakes({ DATABASE_STANDBYS: '-1' })).toContain('DATABASE_STANDBYS: found "-1"')
})

test('a process without workers needs a database that another process works on', () => {
  expect(readEnv({ WORKERS: '0', DATABASE_URL: 'postgres://db/portico' }).workers).toBe(false)
  expect(mistakes({ WORKERS: '0' })).toContain('WORKERS: found "0" without DATABASE_URL')
})

test('the simulated engine is offered in production only when it is asked for', () => {
  const real = { PUBLIC_URL: 'https://portal.example.com' }
  expect(readEnv({ DATABASE_URL: 'postgres://db/portico' }).simulatedEngine).toBe(true)
  expect(readEnv(real).simulatedEngine).toBe(false)
  expect(readEnv({ ...real, SIMULATED_ENGINE: '1' }).simulatedEngine).toBe(true)
})

test('a demo stays on loopback unless HOST says otherwise', () => {
  const DATABASE_URL = 'postgres://db/portico'
  expect(readEnv({ DATABASE_URL, SEED: 'demo' }).host).toBe('127.0.0.1')
  expect(readEnv({ DATABASE_URL, SEED: 'demo', HOST: '0.0.0.0' }).host).toBe('0.0.0.0')
})

test('a database may have several servers', () => {
  const DATABASE_URL = 'postgres://db1:5432,db2/portico?target_session_attrs=read-write'
  expect(readEnv({ DATABASE_URL }).databaseUrl).toBe(DATABASE_URL)
  expect(mistakes({ DATABASE_URL: 'postgres://db1,db2/portico?target_session_attrs=any' })).toMatch(
    /DATABASE_URL: .*several hosts are separated by commas, with \?target_session_attrs=read-write/,
  )
})

test('a pooler is named together with the address of the database behind it', () => {
  const pooled = { DATABASE_URL: 'postgres://pooler/portico', DATABASE_POOLER: 'transaction' }
  const whole = { ...pooled, DATABASE_DIRECT_URL: 'postgres://db/portico' }
  expect(readEnv(whole)).toMatchObject({
    databaseUrl: 'postgres://pooler/portico',
    databaseDirectUrl: 'postgres://db/portico',
  })
  const together = 'DATABASE_POOLER and DATABASE_DIRECT_URL are needed together, and with DATABASE_URL.'
  for (const missing of Object.keys(whole)) expect(mistakes({ ...whole, [missing]: '' })).toContain(together)
})

test('the public address follows the port and loses its last slash', () => {
  expect(readEnv({ PORT: '3001' }).publicUrl).toBe('http://localhost:3001')
  expect(readEnv({ PUBLIC_URL: 'https://portal.example.com/' }).publicUrl).toBe('https://portal.example.com')
})

test('an empty variable is one that is not set', () => {
  expect(readEnv({ PORT: '', DATABASE_URL: ' ', TRUSTED_PROXIES: '' })).toEqual(readEnv({}))
})

test('proxies are addresses and networks', () => {
  expect(readEnv({ TRUSTED_PROXIES: '10.0.0.0/8, ::1,192.0.2.7' }).trustedProxies).toEqual([
    '10.0.0.0/8',
    '::1',
    '192.0.2.7',
  ])
})

describe('a wrong value is named with what was found and expected', () => {
  test.each([
    ['PORT', '80x0'],
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['HOST', 'a b'],
    ['PUBLIC_URL', 'portal.example.com'],
    ['PUBLIC_URL', 'https://portal.example.com/path'],
    ['PUBLIC_URL', 'ftp://portal.example.com'],
    ['SEED', 'Demo'],
    ['RATE_LIMIT_SCALE', '0'],
    ['RATE_LIMIT_SCALE', 'NaN'],
    ['RATE_LIMIT_SCALE', '-2'],
    ['LOG_LEVEL', 'loud'],
    ['TRUSTED_PROXIES', '10.0.0.0/8,proxy'],
    ['POOL_SIZE', '0'],
    ['POOL_SIZE', '1.5'],
    ['GOOGLE_ISSUER', 'http://accounts.example.com'],
    ['GOOGLE_ISSUER', 'http://localhost.example.com'],
    ['GOOGLE_ISSUER', 'https://user:secret@accounts.example.com'],
    ['GOOGLE_ISSUER', 'accounts.google.com'],
    ['GOOGLE_CLIENT_ID', 'two words'],
    ['COUNTRY_LOOKUP_URL', 'http://ip2c.org/self'],
    ['COUNTRY_LOOKUP_URL', 'off'],
    ['MAIL_FROM', 'Portico'],
    ['MAIL_FROM', 'Portico <a@b.example>, c@d.example'],
    ['MAIL_FROM', 'Portico <a@b.example>\r\nBcc: c@d.example'],
  ] as const)('%s=%s', (name, value) => {
    expect(mistakes({ [name]: value })).toContain(
      `${name}: found ${JSON.stringify(value)}, expected ${variables[name].expected}.`,
    )
  })

  test('each in a line of its own', () => {
    expect(mistakes({ PORT: 'x', SEED: 'y' }).split('\n')).toHaveLength(3)
  })

  test('but a secret is never shown', () => {
    const message = mistakes({
      DATABASE_URL: 'mysql://root:hunter2@db/x',
      TOKEN_SECRET: 'hunter2',
      METRICS_TOKEN: 'hunter2',
      SMTP_URL: 'http://user:hunter2@mail',
    })
    expect(message).toMatch(/DATABASE_URL: .*expected/)
    expect(message).toMatch(/TOKEN_SECRET: .*expected/)
    expect(message).toMatch(/METRICS_TOKEN: .*expected/)
    expect(message).toMatch(/SMTP_URL: .*expected/)
    expect(message).not.toContain('hunter2')
  })
})

test('each of several token secrets must be long enough', () => {
  const [one, other] = ['a'.repeat(32), 'b'.repeat(32)]
  expect(readEnv({ TOKEN_SECRET: `${one}, ${other}` }).tokenSecret).toBe(`${one}, ${other}`)
  for (const TOKEN_SECRET of [
    `${one},short`,
    `short,${one}`,
    `${one},`,
    `${'a'.repeat(16)},${'b'.repeat(16)}`,
  ])
    expect(mistakes({ TOKEN_SECRET })).toContain('separated by commas')
})

test('trusted addresses must use https unless they are on this machine', () => {
  for (const GOOGLE_ISSUER of [
    'https://issuer.example',
    'http://localhost:4000',
    'http://[::1]:1/',
    'http://127.0.0.1/x',
  ])
    expect(readEnv({ GOOGLE_ISSUER }).googleIssuer).toBe(GOOGLE_ISSUER)
})

test('the look-up of countries can be another one, or none', () => {
  expect(readEnv({ COUNTRY_LOOKUP_URL: 'none' }).countryLookupUrl).toBeNull()
  expect(readEnv({ COUNTRY_LOOKUP_URL: 'https://ip.example/self' }).countryLookupUrl).toBe(
    'https://ip.example/self',
  )
})

test('a mail server is named by scheme, host and credentials alone', () => {
  for (const SMTP_URL of [
    'smtp://mail',
    'smtps://me%40x.example:p%2Fw@mail.example.com:465',
    'smtp://[::1]:25',
  ])
    expect(readEnv({ SMTP_URL }).smtpUrl).toBe(SMTP_URL)
  for (const SMTP_URL of ['mail.example.com', 'smtp:///x', 'smtp://mail/?tls=off', 'smtp://a:%zz@mail'])
    expect(mistakes({ SMTP_URL })).toContain('SMTP_URL: ')
})

test('a mailbox is named by scheme, credentials, host and folder, and is of use where answers come to', () => {
  const REPLY_ADDRESS = 'reply@support.example'
  for (const IMAP_URL of [
    'imaps://me:p%2Fw@mail.example.com',
    'imap://me%40x.example:pw@[::1]:1143/Answers/New%20ones',
  ])
    expect(readEnv({ IMAP_URL, REPLY_ADDRESS }).imapUrl).toBe(IMAP_URL)
  for (const IMAP_URL of [
    'imaps://mail.example.com',
    'imaps://me@mail.example.com',
    'https://me:pw@mail.example.com',
    'imaps://me:pw@mail.example.com/?tls=off',
    'imaps://me:pw@mail.example.com/%zz',
    'imaps://me:pw@mail.example.com/INBOX%0D%0Aa1 LOGOUT',
  ])
    expect(mistakes({ IMAP_URL, REPLY_ADDRESS })).toContain('IMAP_URL: found a value (not shown)')
  const IMAP_URL = 'imaps://me:pw@mail.example.com'
  expect(mistakes({ IMAP_URL, SEED: 'none' })).toContain('together with REPLY_ADDRESS')
})

test('production takes test cards only when that is allowed, and all keys of Stripe or none', () => {
  const keys = { STRIPE_SECRET_KEY: 'sk_test_12345678', STRIPE_PUBLISHABLE_KEY: 'pk_test_12345678' }
  const STRIPE_WEBHOOK_SECRET = 'whsec_newer000,whsec_older000'
  expect(readEnv({ NODE_ENV: 'production' })).toMatchObject({ stripe: undefined, sandbox: false })
  expect(readEnv({ NODE_ENV: 'production', ALLOW_SANDBOX_PAYMENTS: '1' }).sandbox).toBe(true)
  expect(mistakes(keys)).toContain('needed together')
  expect(mistakes({ ...keys, STRIPE_WEBHOOK_SECRET, STRIPE_SECRET_KEY: 'guess' })).not.toContain('guess')
  expect(readEnv({ NODE_ENV: 'production', ...keys, STRIPE_WEBHOOK_SECRET }).stripe).toMatchObject({
    webhookSecrets: ['whsec_newer000', 'whsec_older000'],
    apiBase: undefined,
  })
})

test('letters come from the host of the portal unless another sender is named', () => {
  const from = (MAIL_FROM: string) => readEnv({ MAIL_FROM }).mailFrom
  expect(readEnv({ PUBLIC_URL: 'https://portal.example.com' }).mailFrom).toEqual({
    name: '',
    address: 'no-reply@portal.example.com',
  })
  expect(from('Acme Hosting <mail@acme.example>')).toEqual({
    name: 'Acme Hosting',
    address: 'mail@acme.example',
  })
  expect(from('"Acme, Inc." <mail@acme.example>')).toEqual({
    name: 'Acme, Inc.',
    address: 'mail@acme.example',
  })
  expect(from('mail@acme.example')).toEqual({ name: '', address: 'mail@acme.example' })
})

test('the help names every variable', () => {
  for (const name of Object.keys(variables))
    expect(describeVariables()).toMatch(new RegExp(`^${name}(,|$)`, 'm'))
})

test('what was entered at the desk counts where no variable is set, and makes no real portal of a demo', () => {
  const stored = { SMTP_URL: 'smtp://desk.example', MAIL_FROM: 'Desk <desk@acme.example>' }
  expect(readEnv({ SMTP_URL: 'smtp://server.example' }, stored)).toMatchObject({
    smtpUrl: 'smtp://server.example',
    mailFrom: { name: 'Desk', address: 'desk@acme.example' },
    fromDesk: ['MAIL_FROM'],
  })
  expect(readEnv({ SMTP_URL: ' ' }, stored)).toMatchObject({ smtpUrl: 'smtp://desk.example', seed: 'demo' })
})
