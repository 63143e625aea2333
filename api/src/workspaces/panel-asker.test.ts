import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { makeKey } from '#test/support/api-key.ts'
import { only, TestEngine } from '#test/support/engine.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { custom, entry } from '#test/support/share.ts'

const portal = await testPortal({ engines: only(new TestEngine()) })
const ana = await makeAccount(portal.pool, { projects: 1, panels: 0 })
const [project = 0] = ana.projects
const guest = await makeAccount(portal.pool, { projects: 1, panels: 0 })
const rights = { add_panels: 'allowed', delete_panels: 'allowed' } as const
await portal.share(ana, guest, { ...rights, ...custom(entry(project, rights)) })
const key = await makeKey(portal.pool, { client: ana.id })

async function askedFor(panel: string | undefined): Promise<Record<string, unknown>> {
  const { rows } = await sql<{ task: string; actor: unknown }>`
    select t.identifier as task, j.payload -> 'actor' as actor
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where j.payload ->> 'panelId' = ${panel}`.execute(portal.pool.kysely)
  return Object.fromEntries(rows.map(({ task, actor }) => [task, actor]))
}

test.each<[string, Visitor, string, number]>([
  ['the owner', portal.as(ana), 'owner', ana.id],
  ['a guest', portal.as(guest), 'guest', guest.id],
  ['a key', portal.key(key.id), 'key', ana.id],
])('an engine is asked for what %s wants in their name', async (_who, visitor, kind, id) => {
  const relationships = { project: { data: { type: 'projects', id: String(project) } } }
  const attributes = { name: `panel of ${kind}` }
  const made = await visitor.post('/api/v1/panels', { data: { type: 'panels', attributes, relationships } })
  expect(made.status).toBe(201)
  const actor = { subject: `client-${id}`, kind }
  expect(await askedFor(made.one.id)).toEqual({ 'panel.provision': actor })
  expect((await visitor.delete(`/api/v1/panels/${made.one.id}`)).status).toBe(202)
  expect(await askedFor(made.one.id)).toMatchObject({ 'panel.delete': actor })
})
