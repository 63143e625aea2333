import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { sign, verify } from './webhook-signature.ts'

const secret = (fill: number) => `whsec_${Buffer.alloc(32, fill).toString('base64')}`
const [old, next, foreign] = [secret(1), secret(2), secret(3)]
const body = Buffer.from('{"events":[]}')
const minutes = (n: number) => new Date(Date.now() + n * 60_000)

test('is what the standard says: HMAC-SHA256 of id, time and text', () => {
  const at = new Date('2026-03-18T12:00:00Z')
  const mac = createHmac('sha256', Buffer.alloc(32, 1)).update(`msg_1.${at.getTime() / 1000}.text`)
  expect(sign([old], 'text', { id: 'msg_1', at })).toEqual({
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1773835200',
    'webhook-signature': `v1,${mac.digest('base64')}`,
  })
})

test('both live secrets count on both sides, and no other', () => {
  const signed = (secrets: string[]) => sign(secrets, body.toString())
  expect(verify([old, next], body, signed([old]))).toBe('genuine')
  expect(verify([old, next], body, signed([next]))).toBe('genuine')
  expect(verify([next], body, signed([old, next]))).toBe('genuine')
  expect(verify([old, next], body, signed([foreign]))).toBe('forged')
  expect(verify([], body, signed([old]))).toBe('forged')
  expect(verify([old], body, signed([]))).toBe('forged')
})

test('a message counts for five minutes, in both directions', () => {
  const at = (when: Date) => verify([old], body, sign([old], body.toString(), { at: when }))
  expect([at(minutes(-4.9)), at(minutes(4.9))]).toEqual(['genuine', 'genuine'])
  expect([at(minutes(-5.2)), at(minutes(5.2))]).toEqual(['expired', 'expired'])
})

test('anything changed on the way is found', () => {
  const good = sign([old], body.toString())
  const wrong: [Buffer, Record<string, string | string[] | undefined>][] = [
    [Buffer.from('{"events":[ ]}'), good],
    [body, { ...good, 'webhook-id': 'msg_other' }],
    [body, { ...good, 'webhook-timestamp': String(Number(good['webhook-timestamp']) - 1) }],
    [body, { ...good, 'webhook-timestamp': 'soon' }],
    [body, { ...good, 'webhook-signature': good['webhook-signature'].replace('v1,', 'v2,') }],
    [body, { ...good, 'webhook-signature': 'v1' }],
    [body, { ...good, 'webhook-signature': '' }],
    [body, { ...good, 'webhook-signature': undefined }],
    [body, { ...good, 'webhook-id': ['a', 'b'] }],
    [Buffer.from([0xff, 0xfe]), sign([old], Buffer.from([0xff, 0xfe]).toString())],
    [body, {}],
  ]
  expect(wrong.map(([bytes, headers]) => verify([old], bytes, headers))).toEqual(wrong.map(() => 'forged'))
})
