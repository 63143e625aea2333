import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { simulatedFront } from '#test/support/simulated-front.ts'

const root = path.resolve(import.meta.dirname, '../../../../..')
const secret = `whsec_${Buffer.alloc(32, 6).toString('base64')}`

test('the simulated engine behind a test server passes the engine check', async () => {
  const url = await simulatedFront(secret)
  const { stdout } = await promisify(execFile)(process.execPath, ['engines/check/main.ts', url], {
    cwd: root,
    env: { ...process.env, ENGINE_SECRET: secret },
  }).catch((error: { stdout: string; stderr: string }) => error)
  expect(stdout.split('\n').filter((line) => line.startsWith('FAILED'))).toEqual([])
  const [, passed = 0] = /(\d+) passed, 0 failed/.exec(stdout) ?? []
  expect(Number(passed)).toBeGreaterThan(35)
}, 120_000)
