import { mediaType } from '@portico/contract/wire.ts'
import { Jsona } from 'jsona'
import { beforeAll, expect, test } from 'vitest'
import { testServer } from '../support/server.ts'

// jsona turns documents into objects and back; how they travel is ours.

type Model = {
  type: string
  id?: string | undefined
  name?: string
  relationshipNames?: string[]
  [key: string]: unknown
}

const server = await testServer()
const format = new Jsona()
let me = 0
let token = ''

beforeAll(async () => {
  const person = await server.signIn('jsona@example.com')
  me = person.id
  token = person.token
})

async function ask(
  method: string,
  path: string,
  document?: unknown,
): Promise<{ status: number; body: string }> {
  const response = await fetch(`${server.api}/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      accept: mediaType,
      ...(document !== undefined && { 'content-type': mediaType }),
    },
    ...(document !== undefined && { body: JSON.stringify(document) }),
  })
  return { status: response.status, body: await response.text() }
}

const read = async (path: string) => format.deserialize((await ask('GET', path)).body) as Model // The path is of one resource.
const readAll = async (path: string) => format.deserialize((await ask('GET', path)).body) as Model[] // The path is of a list.

async function write(
  method: 'POST' | 'PATCH',
  path: string,
  stuff: Model,
  includeNames: string[] = [],
): Promise<Model> {
  const { status, body } = await ask(method, path, format.serialize({ stuff, includeNames }))
  if (status >= 300) throw new Error(`${status} ${body}`)
  return format.deserialize(body) as Model // A write answers with the one resource.
}

test('creates with a relationship, and reads it back with what it includes', async () => {
  const project = await write('POST', 'projects', { type: 'projects', name: 'Jsona' })
  const panel: Model = {
    type: 'panels',
    name: 'First',
    project: { type: 'projects', id: project.id },
    relationshipNames: ['project'],
  }
  const created = await write('POST', 'panels?include=project', panel, ['project'])
  expect(created).toMatchObject({ type: 'panels', name: 'First', project: { name: 'Jsona' } })
  const whole = await read(`projects/${project.id}?include=panels.project,client`)
  expect(whole).toMatchObject({
    name: 'Jsona',
    client: { id: String(me), first_name: 'Ada' },
    panels: [{ name: 'First' }],
  })
})

test('lists, filters, sorts and pages', async () => {
  for (const name of ['Alpha', 'Beta']) await write('POST', 'projects', { type: 'projects', name })
  const names = async (query: string) => (await readAll(`projects?${query}`)).map(({ name }) => name)
  expect(await names('sort=-name&page[size]=2')).toEqual(['My Workspace', 'Jsona'])
  expect(await names('sort=name&page[size]=2&page[number]=1')).toEqual(['Alpha', 'Beta'])
  expect(await names('filter[search]=alp')).toEqual(['Alpha'])
})

test('changes and deletes', async () => {
  const project = await write('POST', 'projects', { type: 'projects', name: 'Before' })
  const changed = await write('PATCH', `projects/${project.id}`, {
    type: 'projects',
    id: project.id,
    name: 'After',
  })
  expect(changed.name).toBe('After')
  expect((await ask('DELETE', `projects/${project.id}`)).status).toBe(204)
  expect((await ask('GET', `projects/${project.id}`)).status).toBe(404)
})

test('sends an object back as it was read, with its relationships', async () => {
  const [first] = await readAll('projects?sort=name&include=panels,client')
  if (!first) throw new Error('There is a project.')
  const { links, meta, ...kept } = first
  expect([links, meta]).toEqual([expect.anything(), expect.anything()])
  const changed = await write(
    'PATCH',
    `projects/${first.id}`,
    { ...kept, type: 'projects', name: 'Alpha 2' },
    ['panels'],
  )
  expect(changed.name).toBe('Alpha 2')
})

test('reads relationships and changes them', async () => {
  const [from, to] = await readAll('projects?sort=name')
  const stuff: Model = { type: 'panels', name: 'Moves', project: from, relationshipNames: ['project'] }
  const panel = await write('POST', 'panels', stuff, ['project'])
  const url = `panels/${panel.id}/relationships/project`
  expect(await read(url)).toMatchObject({ type: 'projects', id: from?.id })
  const moved = await ask('PATCH', url, format.serialize({ stuff: { type: 'projects', id: to?.id } }))
  expect(moved.status).toBe(200)
  expect((await readAll(`projects/${to?.id}/relationships/panels`)).map(({ id }) => id)).toEqual([panel.id])
  const back = await ask(
    'POST',
    `projects/${from?.id}/relationships/panels`,
    format.serialize({ stuff: [{ type: 'panels', id: panel.id }] }),
  )
  expect(back.status).toBe(200)
  expect((await read(`panels/${panel.id}/project`)).id).toBe(from?.id)
})

test('leaves errors to the caller', async () => {
  const { status, body } = await ask(
    'POST',
    'projects',
    format.serialize({ stuff: { type: 'projects', name: '' } }),
  )
  expect([status, JSON.parse(body).errors[0].source]).toEqual([422, { pointer: '/data/attributes/name' }])
})
