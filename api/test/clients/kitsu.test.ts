import Kitsu from 'kitsu'
import { beforeAll, expect, test } from 'vitest'
import { testServer } from '../support/server.ts'

// kitsu: our names are neither to be turned into camel case nor into plurals, or it would ask for types that are not there.

type Named = { id: string; name: string; panels?: { data: Named[] }; project?: { data: Named } }

const server = await testServer()
let me = 0
let api = new Kitsu()

beforeAll(async () => {
  const { id, token } = await server.signIn('kitsu@example.com')
  me = id
  api = new Kitsu({
    baseURL: server.api,
    camelCaseTypes: false,
    resourceCase: 'none',
    pluralize: false,
    headers: { Authorization: `Bearer ${token}` },
  })
  for (const name of ['Alpha', 'Beta', 'Gamma']) await api.create('projects', { name })
})

const names = async (params: object): Promise<string[]> =>
  (await api.get('projects', { params })).data.map(({ name }: Named) => name)

async function projectOf(name: string): Promise<Named> {
  return (await api.get('projects', { params: { filter: { search: name } } })).data[0]
}

async function newPanel(name: string, project: string): Promise<Named> {
  return (await api.create('panels', { name, project: { data: { id: project, type: 'projects' } } })).data
}

test('lists, sorts, filters and pages', async () => {
  expect(await names({ sort: '-name' })).toEqual(['My Workspace', 'Gamma', 'Beta', 'Alpha'])
  expect(await names({ filter: { search: 'amm' } })).toEqual(['Gamma'])
  expect(await names({ sort: 'name', page: { size: 2, number: 2 } })).toEqual(['Gamma', 'My Workspace'])
  const page = await api.get('projects', { params: { page: { size: 3 }, sort: 'name' } })
  expect(page.meta.page).toEqual({ number: 1, size: 3, total: 4, pages: 2 })
  expect(page.links.next).toContain('page%5Bnumber%5D=2')
})

test('shows only the fields that are asked for', async () => {
  const { data } = await api.get('projects', { params: { fields: { projects: 'name' }, sort: 'name' } })
  expect(data[0].name).toBe('Alpha')
  expect(data[0]).not.toHaveProperty('createdAt')
})

test('includes, and links what it included', async () => {
  const project = await projectOf('Alpha')
  await newPanel('Included', project.id)
  const { data } = await api.get(`projects/${project.id}`, { params: { include: 'panels.project,client' } })
  expect(data.panels.data[0]).toMatchObject({ type: 'panels', name: 'Included' })
  expect(data.client.data).toMatchObject({ id: String(me), first_name: 'Ada' })
})

test('creates, changes and deletes', async () => {
  const created = await api.create('projects', { name: 'Short-lived' })
  expect([created.status, created.data.name]).toEqual([201, 'Short-lived'])
  const changed = await api.update('projects', { id: created.data.id, name: 'Renamed' })
  expect(changed.data.name).toBe('Renamed')
  expect((await api.delete('projects', created.data.id)).status).toBe(204)
  await expect(api.get(`projects/${created.data.id}`)).rejects.toMatchObject({ response: { status: 404 } })
})

test('sends a whole record back as it was read, with what it included', async () => {
  const project = await projectOf('Beta')
  await newPanel('Kept', project.id)
  for (const params of [{}, { include: 'client' }]) {
    const { data } = await api.get(`projects/${project.id}`, { params })
    const name = `Beta ${Object.keys(params).length}`
    expect((await api.update('projects', { ...data, name })).data.name).toBe(name)
  }
  expect((await api.get(`projects/${project.id}/panels`)).data).toHaveLength(1)
})

test('reads a relationship, and what it leads to', async () => {
  const project = await projectOf('Gamma')
  const panel = await newPanel('Related', project.id)
  const linkage = await api.get(`projects/${project.id}/relationships/panels`)
  expect(linkage.data).toEqual([{ type: 'panels', id: panel.id }])
  expect((await api.get(`panels/${panel.id}/relationships/project`)).data).toEqual({
    type: 'projects',
    id: project.id,
  })
  expect((await api.get(`panels/${panel.id}/project`)).data.name).toBe('Gamma')
  expect((await api.get(`clients/${me}/clientEntity`)).data.company_name).toBe('Example SRL')
})

test('changes a to-many by POST and PATCH, and a to-one by PATCH', async () => {
  const [from, to] = [await projectOf('Alpha'), await projectOf('Gamma')]
  const panel = await newPanel('Wanders', from.id)
  const panels = (of: Named) => `projects/${of.id}/relationships/panels`
  await api.create(panels(to), [{ id: panel.id }])
  expect((await api.get(panels(to))).data).toContainEqual({ type: 'panels', id: panel.id })
  const { data: all } = await api.get(panels(from))
  await api.update(panels(from), [...all, { id: panel.id }])
  expect((await api.get(panels(from))).data).toContainEqual({ type: 'panels', id: panel.id })
  // kitsu appends the id of what it sends to the path, so a to-one goes by `request`.
  const url = `panels/${panel.id}/relationships/project`
  await api.request({ method: 'PATCH', url, type: 'projects', body: { id: to.id } })
  expect((await api.get(url)).data.id).toBe(to.id)
  await expect(api.delete(panels(to), [Number(panel.id)])).rejects.toMatchObject({
    response: { status: 403 },
  })
})

test('hands errors over as they are', async () => {
  await expect(api.create('projects', { name: '' })).rejects.toMatchObject({
    response: { status: 422 },
    errors: [
      {
        code: 'project_name_required',
        detail: 'Numele spațiului de lucru este obligatoriu',
        source: { pointer: '/data/attributes/name' },
      },
    ],
  })
  await expect(api.create('projects', { name: 'Alpha' })).rejects.toMatchObject({
    errors: [{ status: '409' }],
  })
  await expect(api.get('projects', { params: { sort: 'nothing' } })).rejects.toMatchObject({
    errors: [{ status: '400', source: { parameter: 'sort' } }],
  })
})
