import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runs } from '#platform/db/embedded/processes.ts'
import { ask, postmasterPid, serverPid } from './support/portal-process.ts'
import { startCheckout } from './support/start-checkout.ts'
import { hung, until } from './support/temporary.ts'

// What a start finds after everything was ended in the middle.

const { folder, start, startedBefore, servers, nothingLeft } = startCheckout()

/** Kills a process, which may have ended with the one killed before. */
function kill9(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Inserts rows one by one until it is stopped, and remembers the acknowledged numbers. */
function writer() {
  const acknowledged: number[] = []
  let stopped = false
  const run = async () => {
    await ask(folder, 'create table written (number int primary key)')
    for (let number = 1; !stopped; number++) {
      if (await ask(folder, `insert into written values (${number})`)) acknowledged.push(number)
    }
  }
  const running = run()
  return {
    acknowledged,
    stop: async () => {
      stopped = true
      await running
    },
  }
}

async function expectKept(acknowledged: number[]): Promise<void> {
  const kept = new Set(await ask(folder, 'select number from written'))
  expect(acknowledged.filter((number) => !kept.has(number))).toEqual([])
}

test('a signal in the middle of the first start ends it, and the next start works', async () => {
  for (const seen of ['initdb-', 'postgres', 'postgres/postmaster.pid']) {
    const portal = start()
    const database = path.join(folder, 'data/database')
    await until(() => {
      const names = fs.existsSync(database) ? fs.readdirSync(database) : []
      return names.some((name) => name.startsWith(seen)) || fs.existsSync(path.join(database, seen))
    })
    expect(await portal.end('SIGINT')).toMatchObject({ code: 0 })
    nothingLeft()
  }
  await start().ready()
})

test('one that was stopped acts after a week, and one that fell a week ago is a copy', async () => {
  startedBefore()
  const weekAgo = `update settings set value = value || jsonb_build_object('aliveAt', now() - interval '7 days')
    where key = 'acts_as'`
  const first = start()
  await first.ready()
  await ask(folder, weekAgo)
  await first.end('SIGTERM')
  const second = start()
  await second.ready()
  expect(second.output()).not.toContain('This portal is a copy')
  await second.end('SIGKILL')
  // Its database lives on without it.
  expect(await ask(folder, weekAgo)).toEqual([])
  const third = start()
  await third.ready()
  expect(third.output()).toContain('This portal is a copy, because it was last alive at')
})

test('after kill -9 the next start stops the orphaned database and has all acknowledged data', async () => {
  startedBefore()
  const first = start()
  await first.ready()
  const writing = writer()
  await until(() => writing.acknowledged.length > 50 || undefined)
  const orphan = postmasterPid(folder)
  await first.end('SIGKILL')
  expect(runs(orphan)).toBe(true)
  const second = start()
  expect(await second.ready()).toBeLessThan(hung)
  await writing.stop()
  expect(second.output()).toContain('Stopped a PostgreSQL left over from an earlier run.')
  expect(runs(orphan)).toBe(false)
  await expectKept(writing.acknowledged)
})

test('after kill -9 of PostgreSQL it is back, with all that was acknowledged', async () => {
  startedBefore()
  const portal = start()
  await portal.ready()
  const writing = writer()
  await until(() => writing.acknowledged.length > 50 || undefined)
  const { postmaster, others } = servers()
  const all = [postmaster, ...others].filter((pid) => pid !== undefined)
  for (const pid of all) kill9(pid)
  const before = writing.acknowledged.length
  const { took } = await until(() => writing.acknowledged.length > before + 2 || undefined)
  expect(took).toBeLessThan(hung)
  await writing.stop()
  await expectKept(writing.acknowledged)
  expect(await portal.end('SIGTERM')).toMatchObject({ code: 0 })
})

test('after kill -9 of both the next start has all that was acknowledged', async () => {
  startedBefore()
  for (let round = 0; round < 2; round++) {
    const portal = start()
    await portal.ready()
    const writing = writer()
    await until(() => writing.acknowledged.length > 50 || undefined)
    process.kill(serverPid(folder), 'SIGKILL')
    for (const pid of [servers().postmaster, ...servers().others]) if (pid !== undefined) kill9(pid)
    await writing.stop()
    await portal.ended
    const again = start()
    await again.ready()
    await expectKept(writing.acknowledged)
    await ask(folder, 'drop table written')
    await again.end('SIGTERM')
  }
})

test('kill -9 while the database is being created is made good by the next start', async () => {
  const first = start()
  const database = path.join(folder, 'data/database')
  await until(
    () =>
      (fs.existsSync(database) && fs.readdirSync(database).some((name) => name.startsWith('initdb-'))) ||
      undefined,
  )
  await first.end('SIGKILL')
  expect(fs.existsSync(path.join(database, 'postgres'))).toBe(false)
  await start().ready()
  expect(fs.readdirSync(database).sort()).toEqual(['portico.lock', 'postgres'])
})
