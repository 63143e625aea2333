import { expect, test, vi } from 'vitest'
import { openFake } from '../fake/open.ts'
import { mend } from '../mending/mend.ts'
import { endCertificates } from './certificates.ts'
import { createPanel, deletePanel } from './making.ts'
import { adoptPanel } from './ownership.ts'
import { suspendPanel } from './suspension.ts'
import { findPanel, setWords } from './truth.ts'

const owner = { subject: 'client-1', display_name: 'Ana' }
const asked = { panel_id: 7, name: 'Shop', plan: 'small', region: null, domain: null, owner }
const id = 'portico-7'
const admin = { name: 'admin', restricted: false, projects: [] }

/** A panel and its neighbour, with the certificates that an operator gave their tools. */
async function opened() {
  const fake = await openFake()
  await createPanel(fake.host, asked)
  await createPanel(fake.host, { ...asked, panel_id: 8 })
  fake.lxd.certificates.set('a', { ...admin })
  fake.lxd.certificates.set('b', { name: 'ana', restricted: true, projects: [id] })
  fake.lxd.certificates.set('c', { name: 'both', restricted: true, projects: [id, 'portico-8'] })
  return fake
}

const left = [
  ['a', admin],
  ['c', { name: 'both', restricted: true, projects: ['portico-8'] }],
]

test('a suspension ends the certificates that reach the panel, and no others', async () => {
  const { host, lxd } = await opened()
  await suspendPanel(host, id, 'unpaid')
  expect([...lxd.certificates]).toMatchObject(left)
})

test('a suspension fails when LXD does not list its certificates, and stops the servers all the same', async () => {
  const { host, lxd } = await opened()
  const read = host.lxd.get.bind(host.lxd)
  const get = vi.spyOn(host.lxd, 'get').mockImplementation((path) => {
    if (path.startsWith('/1.0/certificates')) throw new Error('no certificates')
    return read(path)
  })
  await expect(suspendPanel(host, id, 'unpaid')).rejects.toThrow('no certificates')
  const statusOf = (panel: string) =>
    [...lxd.servers.values()].filter(({ project }) => project === panel).map(({ status }) => status)
  expect([...statusOf(id), ...statusOf('portico-8')]).toEqual(['Stopped', 'Running'])
  get.mockRestore()
  await mend(host)
  expect([...lxd.certificates]).toMatchObject(left)
})

test('of a certificate that two panels share, neither gives back what the other took', async () => {
  const { host, lxd, beside } = await opened()
  const twin = beside({ code: 'debian', store: ':memory:' })
  for (let round = 1; round <= 5; round++) {
    lxd.certificates.set('c', { name: 'both', restricted: true, projects: [id, 'portico-8', 'portico-9'] })
    await Promise.all([endCertificates(host, id), endCertificates(twin, 'portico-8')])
    expect(lxd.certificates.get('c')?.projects).toEqual(['portico-9'])
  }
})

test('what an operator adds to a certificate while a panel is taken from it is kept', async () => {
  const { host, lxd } = await opened()
  const read = host.lxd.get.bind(host.lxd)
  vi.spyOn(host.lxd, 'get').mockImplementation(async (path) => {
    const found = await read(path)
    if (path.startsWith('/1.0/certificates')) lxd.certificates.get('c')?.projects.push('portico-9')
    // The type that the caller names.
    return found as never
  })
  await suspendPanel(host, id, 'unpaid')
  expect(lxd.certificates.get('c')?.projects).toEqual(['portico-8', 'portico-9'])
})

test('the certificates of a suspension that was broken off are ended by the mending', async () => {
  const { host, lxd } = await opened()
  expect(await mend(host)).toEqual([])
  expect(lxd.certificates.size).toBe(3)
  await setWords(host, id, { state: 'suspended' })
  expect(await mend(host)).toContain('the certificate ana of portico-7 was ended')
  expect([...lxd.certificates]).toMatchObject(left)
})

test('a panel is deleted with what tools have made in it', async () => {
  const { host, lxd } = await opened()
  for (const all of [lxd.profiles, lxd.volumesOf])
    for (const one of ['portico-7', 'portico-8']) all.add(`${one}/own`)
  lxd.volumesOf.add('portico-7/own/snap0')
  expect(await deletePanel(host, id)).toBe(true)
  expect(await findPanel(host, id)).toBeUndefined()
  expect([...lxd.certificates]).toMatchObject(left)
  expect([...lxd.profiles, ...lxd.volumesOf]).toEqual(['portico-8/own', 'portico-8/own'])
})

test('of an adopted project no volume and no profile is removed, as it may share those of the host', async () => {
  const { host, lxd } = await opened()
  lxd.projects.set('old', { name: 'old', description: 'Old', config: {} })
  await adoptPanel(host, 'old', { panel_id: 9, name: 'Old', owner })
  lxd.profiles.add('old/web')
  lxd.volumesOf.add('old/data')
  await deletePanel(host, 'old').catch(() => undefined)
  expect([...lxd.profiles, ...lxd.volumesOf]).toEqual(['old/web', 'old/data'])
})
