import { expect, test } from 'vitest'
import { happenedIn } from './events.ts'

const message = (action: string, source: string) =>
  JSON.stringify({ type: 'lifecycle', project: 'p-1', metadata: { action, source } })

test.each([
  ['instance-started', '/1.0/instances/web-1?project=p-1', { project: 'p-1', name: 'web-1', isGone: false }],
  ['instance-deleted', '/1.0/instances/web-1', { project: 'p-1', name: 'web-1', isGone: true }],
  ['instance-exec', '/1.0/instances/web-1', undefined],
  ['network-created', '/1.0/networks/pt1', undefined],
])('%s of %s is told as %j', (action, source, happened) => {
  expect(happenedIn(message(action, source))).toEqual(happened)
})
