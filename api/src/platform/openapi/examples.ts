import type { Json } from './json-schema.ts'

/** Example values, by the name of the field. */
const byName: Json = {
  email: 'ana@lumen-studio.test',
  invited_email: 'mihai@lumen-studio.test',
  first_name: 'Ana',
  last_name: 'Marin',
  full_name: 'Ana Marin',
  initials: 'AM',
  name: 'Production',
  company_name: 'Lumen Studio SRL',
  company_url: 'https://lumen-studio.test',
  phone_number: '+40 21 555 0134',
  address1: 'Strada Lipscani 12',
  city: 'SECTOR2',
  zip_code: '020025',
  vat_number: 'RO12345674',
  subject: 'The shop is slow',
  description: 'Since noon each page takes five seconds.',
  body: 'It is the cache: we made it larger.',
  currency: 'USD',
  code: '123456',
  period: '2026-11',
  status: 'active',
  url: 'https://panel.example/enter',
  allowed_ips: ['192.0.2.7', '2001:db8::/48'],
  billing_emails: 'facturi@lumen-studio.test',
  search: 'shop',
  token: 'q1w2e3',
  language: 'en',
}

const byFormat: Json = {
  'date-time': '2026-11-21T09:30:00.000Z',
  date: '2026-11-21',
  email: 'ana@lumen-studio.test',
  uri: 'https://portal.example/',
  'uri-reference': '/api/v1/projects',
  uuid: '6f1f2c34-5a7b-4c1d-8e9f-0123456789ab',
}

const byPattern = [
  '1',
  'RO',
  'USD',
  '2026-11',
  'cpu_hours',
  'seti_0123456789abcdef01234567',
  '4242 4242 4242 4242',
  '12/28',
  '123',
  'technical',
]

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function textOf({ format, pattern, minLength, maxLength }: Json, name: string): string {
  if (typeof format === 'string' && typeof byFormat[format] === 'string') return String(byFormat[format])
  if (typeof pattern === 'string') return byPattern.find((one) => new RegExp(pattern, 'u').test(one)) ?? ''
  const known = byName[name]
  const some = typeof known === 'string' ? known : name.replaceAll('_', ' ') || 'text'
  const long = some.padEnd(Number(minLength ?? 0), ' and so on')
  return typeof maxLength === 'number' ? long.slice(0, maxLength) : long
}

function numberOf({ minimum, exclusiveMinimum, maximum, type }: Json): number {
  const least = Number(minimum ?? exclusiveMinimum ?? 0)
  const usual = [type].flat().includes('integer') ? 1 : 12.5
  return Math.min(Math.max(usual, least), Number(maximum ?? Number.POSITIVE_INFINITY))
}

function objectOf({ properties = {}, required = [] }: Json, depth: number): Json {
  if (!isJson(properties)) return {}
  // Nested objects show only required members, to keep examples short.
  const all = Object.entries(properties).filter(
    ([name]) => depth < 3 || (Array.isArray(required) && required.includes(name)),
  )
  return Object.fromEntries(
    all.map(([name, schema]) => [name, exampleOf(isJson(schema) ? schema : {}, name, depth + 1)]),
  )
}

const byType: Readonly<Record<string, (schema: Json, name: string, depth: number) => unknown>> = {
  string: textOf,
  integer: numberOf,
  number: numberOf,
  boolean: () => true,
  array: ({ items }, name, depth) => byName[name] ?? [exampleOf(isJson(items) ? items : {}, name, depth + 1)],
  object: (schema, _name, depth) => objectOf(schema, depth),
}

/** Builds an example value for a schema, from the names of its fields. */
export function exampleOf(schema: Json, name = '', depth = 0): unknown {
  const { type, const: only, enum: some, anyOf, default: usual } = schema
  if (only !== undefined) return only
  if (Array.isArray(some)) return some.find((one) => one === byName[name]) ?? some[0]
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0], name, depth)
  const [first] = [type].flat()
  const make = typeof first === 'string' ? byType[first] : undefined
  return make ? make(schema, name, depth) : (usual ?? null)
}
