import fs from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '#test/support/temporary.ts'
import { describeVariables } from './describe-variables.ts'
import { readEnv } from './env.ts'
import { fileVariable, secretNames, withSecretFiles } from './secret-files.ts'

const { folder, remove } = temporaryFolder()
afterAll(remove)

function fileWith(text: string): string {
  const file = path.join(folder, `secret-${fs.readdirSync(folder).length}`)
  fs.writeFileSync(file, text)
  return file
}

const token = 'a-token-of-thirty-two-characters'

test.each(secretNames)('%s can be in the file that %s_FILE names', (name) => {
  const wrong: string[] = []
  expect(withSecretFiles({ [fileVariable(name)]: fileWith(' a value\n') }, wrong)[name]).toBe('a value')
  expect(wrong).toEqual([])
  expect(describeVariables()).toContain(`${name}, or the file that ${name}_FILE names`)
})

test('a secret from a file is read and checked like any other', () => {
  const env = readEnv({ TOKEN_SECRET_FILE: fileWith(`${token}\n`), METRICS_TOKEN_FILE: '' })
  expect(env).toMatchObject({ tokenSecret: token, metricsToken: undefined })
  const read = () => readEnv({ METRICS_TOKEN_FILE: fileWith('too-short-hidden') })
  expect(read).toThrow('METRICS_TOKEN: found a value (not shown), expected 32 to 200 characters')
  expect(read).not.toThrow('hidden')
})

test('a live key in a file rules a demo out, like one in the variable', () => {
  const stripe = {
    STRIPE_SECRET_KEY_FILE: fileWith('sk_live_12345678'),
    STRIPE_PUBLISHABLE_KEY: 'pk_test_12345678',
    STRIPE_WEBHOOK_SECRET_FILE: fileWith('whsec_12345678'),
  }
  expect(readEnv(stripe).seed).toBe('none')
})

test('a secret that is given twice, or in a file that is missing or empty, stops the start', () => {
  const missing = path.join(folder, 'missing')
  const empty = fileWith(' \n')
  const read = () =>
    readEnv({
      TOKEN_SECRET: token,
      TOKEN_SECRET_FILE: fileWith(token),
      SMTP_URL_FILE: missing,
      METRICS_TOKEN_FILE: empty,
      MAIL_INBOUND_SECRET_FILE: folder,
    })
  for (const line of [
    'TOKEN_SECRET and TOKEN_SECRET_FILE are both set; remove one of them.',
    `SMTP_URL_FILE: the file "${missing}" cannot be read (ENOENT).`,
    `METRICS_TOKEN_FILE: the file "${empty}" is empty.`,
    `MAIL_INBOUND_SECRET_FILE: the file "${folder}" cannot be read (EISDIR).`,
  ])
    expect(read).toThrow(line)
  expect(read).not.toThrow(token)
})

test('a setting that is no secret is not read from a file', () => {
  expect(readEnv({ PORT_FILE: fileWith('8080') }).port).toBe(3000)
})
