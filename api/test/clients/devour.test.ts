import JsonApi from 'devour-client'
import { beforeAll, expect, test } from 'vitest'
import { testServer } from '../support/server.ts'

// devour-client: every type is declared to it first; it sends what was declared and nothing else.

type Record = {
  id: string
  type: string
  name: string
  panels?: Record[]
  project?: Record
  client?: { first_name: string }
}

const server = await testServer()
const api = new JsonApi({ apiUrl: server.api, logger: false, pluralize: false })

beforeAll(async () => {
  api.bearer = (await server.signIn('devour@example.com')).token
  api.define('projects', {
    name: '',
    panels: { jsonApi: 'hasMany', type: 'panels' },
    client: { jsonApi: 'hasOne', type: 'clients' },
  })
  api.define('panels', { name: '', plan_code: null, project: { jsonApi: 'hasOne', type: 'projects' } })
  api.define('clients', { first_name: '', last_name: '' })
  for (const name of ['Alpha', 'Beta', 'Gamma']) await api.create('projects', { name })
})

const names = async (params: object): Promise<string[]> =>
  (await api.findAll<Record[]>('projects', params)).data.map(({ name }) => name)

async function projectOf(name: string): Promise<Record> {
  const { data } = await api.findAll<Record[]>('projects', { filter: { search: name } })
  if (!data[0]) throw new Error(`There is no project ${name}.`)
  return data[0]
}

const newPanel = async (name: string, project: Record): Promise<Record> =>
  (await api.create<Record>('panels', { name, project: { id: project.id } })).data

test('lists, sorts, filters and pages', async () => {
  expect(await names({ sort: '-name' })).toEqual(['My Workspace', 'Gamma', 'Beta', 'Alpha'])
  expect(await names({ filter: { search: 'amm' } })).toEqual(['Gamma'])
  expect(await names({ sort: 'name', page: { number: 2, size: 2 } })).toEqual(['Gamma', 'My Workspace'])
  const page = await api.findAll<Record[]>('projects', { page: { size: 3 } })
  expect(page.meta.page).toEqual({ number: 1, size: 3, total: 4, pages: 2 })
  const next = await api.request<Record[]>(new URL(page.links.next ?? '', server.api).href)
  expect(next.data).toHaveLength(1)
})

test('includes', async () => {
  const project = await projectOf('Alpha')
  await newPanel('Included', project)
  const { data } = await api.find<Record>('projects', project.id, { include: 'panels,client' })
  expect(data.panels?.map(({ name }) => name)).toEqual(['Included'])
  expect(data.client?.first_name).toBe('Ada')
  const panels = await api.findAll<Record[]>('panels', { include: 'project', fields: { projects: 'name' } })
  expect(panels.data[0]?.project?.name).toBe('Alpha')
})

test('creates, changes and deletes', async () => {
  const { data } = await api.create<Record>('projects', { name: 'Short-lived' })
  expect(data.name).toBe('Short-lived')
  const changed = await api.update<Record>('projects', { id: data.id, name: 'Renamed' })
  expect(changed.data.name).toBe('Renamed')
  await api.destroy('projects', data.id)
  await expect(api.find('projects', data.id)).rejects.toMatchObject({ 0: { title: 'Negăsit' } })
})

test('sends a whole record back as it was read, with what it included', async () => {
  const project = await projectOf('Beta')
  await newPanel('Kept', project)
  const { data } = await api.find<Record>('projects', project.id, { include: 'panels,client' })
  const changed = await api.update<Record>('projects', { ...data, name: 'Beta 2' })
  expect(changed.data.name).toBe('Beta 2')
})

test('reads relationships and changes them', async () => {
  const [from, to] = [await projectOf('Alpha'), await projectOf('Gamma')]
  const panel = await newPanel('Wanders', from)
  const panels = (of: Record) => api.one('projects', of.id).relationships('panels')
  const ids = async (of: Record) => (await panels(of).get<Record[]>()).data.map(({ id }) => id)
  await panels(to).post([{ id: panel.id }])
  expect(await ids(to)).toEqual([panel.id])
  const wanted = [...(await ids(from)), panel.id].map((id) => ({ id }))
  await panels(from).patch(wanted)
  expect(await ids(from)).toContain(panel.id)
  await api.one('panels', panel.id).relationships('project').patch({ id: to.id })
  expect(await ids(to)).toEqual([panel.id])
  const linkage = await api.one('panels', panel.id).relationships('project').get<Record>()
  expect(linkage.data.id).toBe(to.id)
  // A panel cannot be without a project: the refusal comes through as it was said.
  await expect(panels(to).destroy([{ type: 'panels', id: panel.id }])).rejects.toMatchObject({
    0: { title: 'Nepermis' },
  })
})

test('hands errors over by the field that they point at', async () => {
  await expect(api.create('projects', { name: '' })).rejects.toEqual({
    name: { title: 'Valoare nevalidă', detail: 'Numele spațiului de lucru este obligatoriu' },
  })
  await expect(api.create('projects', { name: 'Alpha' })).rejects.toMatchObject({
    name: { title: 'Conflict' },
  })
})
