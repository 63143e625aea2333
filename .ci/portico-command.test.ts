import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { temporaryFolder } from '../api/test/support/temporary.ts'

const root = path.join(import.meta.dirname, '..')
const { folder, remove } = temporaryFolder()
afterAll(remove)
const place = (name: string, text: string) => {
  fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
  fs.writeFileSync(path.join(folder, name), text, { mode: 0o755 })
}
const inDeploy = (file: string) => fs.readFileSync(path.join(root, 'deploy/systemd', file), 'utf8')
const moved = (text: string) =>
  text.replaceAll('/opt/portico', root).replaceAll('/etc/portico', path.join(folder, 'etc'))

// The machine of the portal: its unit with a drop-in, its secrets, and an account to run as.
const dropIn = `[Unit]
After=x.service
[Service]
LoadCredential=s3:/etc/portico/secrets/s3
Environment=S3_SECRET_ACCESS_KEY_FILE=%d/s3 "OTEL_SERVICE_NAME=the portal"
`
const unit = moved(`# /etc/systemd/system/portico.service\n${inDeploy('portico.service')}${dropIn}`)
place('unit', unit)
const odd = 'LOG_LEVEL=warn\n# S3_BUCKET=old\nS3_BUCKET=a$b\nMAIL_AUTHSERV_ID=mx <1> # 2\n'
place('etc/portico.env', `${inDeploy('portico.env')}${odd}`)
for (const name of ['database', 'token', 's3']) place(`etc/secrets/${name}`, `secret of ${name}\n`)
place('bin/systemctl', `#!/bin/sh\n[ "$*" = "cat portico.service" ] && cat ${folder}/unit\n`)
place('bin/runuser', '#!/bin/sh\nprintf "%s\\n" "$@"\necho --\nenv\nexit 3\n')
place('portico-command', moved(inDeploy('portico-command')))

/** The file and the arguments that would run, its account, and its variables. */
function run(...args: string[]) {
  const env = { PATH: `${folder}/bin:${process.env.PATH}`, TOKEN_SECRET: 'of the shell' }
  const made = spawnSync(path.join(folder, 'portico-command'), args, { encoding: 'utf8', env })
  const [asked = '', variables = ''] = made.stdout.split(/^--\n(?=\w+=)/m)
  const [, user, , , file = '', ...given] = asked.trimEnd().split('\n')
  return { ...made, user, file, given, variables: variables.split('\n') }
}

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')))
// These are for a checkout of the sources.
const ofDevelopers = /^(test|bench|chaos|chart$|release$|soak$)/
const documented = fs.globSync('docs/operations/*.md', { cwd: root }).flatMap((file) => {
  const text = fs.readFileSync(path.join(root, file), 'utf8')
  return [...text.matchAll(/(?:npm run|portico-command) ([a-z][\w:-]*)/g)].map(([, name]) => String(name))
})
const names = [...new Set(documented)].filter((name) => !ofDevelopers.test(name))

test('the documents of operations name commands', () => {
  expect(names.length).toBeGreaterThan(20)
  expect(names).toContain('backup')
})

test.each(names)(
  'portico-command %s runs what npm run does, as the account of the service',
  (name) => {
    const { file, given, user, status, stderr } = run(name, 'with space')
    expect([`node ${[file, ...given.slice(0, -1)].join(' ')}`, given.at(-1)], stderr).toEqual([
      scripts[name],
      'with space',
    ])
    expect(fs.existsSync(path.join(root, file))).toBe(true)
    expect([user, status]).toEqual(['portico', 3])
  },
  30_000,
)

test('a command has the settings and secrets of the unit and its drop-ins, read as systemd reads them', () => {
  expect(run('doctor').variables).toEqual(
    expect.arrayContaining([
      'NODE_ENV=production',
      'DATA_DIR=/var/lib/portico',
      'DATABASE_URL=secret of database',
      'TOKEN_SECRET=secret of token',
      'S3_SECRET_ACCESS_KEY=secret of s3',
      'OTEL_SERVICE_NAME=the portal',
      'MAIL_FROM=Example <no-reply@example.com>',
      'S3_BUCKET=a$b',
      'MAIL_AUTHSERV_ID=mx <1> # 2',
    ]),
  )
})

test("the lines of the guide are a drop-in of the unit, and without its section they are nobody's", () => {
  onTestFinished(() => place('unit', unit))
  const guide = fs.readFileSync(path.join(root, 'docs/operations/install.md'), 'utf8')
  const [, lines = ''] = /```ini\n([^`]*LoadCredential=s3[^`]*)```/.exec(guide) ?? []
  const withDropIn = (text: string) =>
    place(
      'unit',
      moved(`# /etc/systemd/system/portico.service\n${inDeploy('portico.service')}
# /etc/systemd/system/portico.service.d/before.conf\n[Service]\nUser=portico
# /etc/systemd/system/portico.service.d/override.conf\n${text}`),
    )
  withDropIn(lines)
  expect(run('doctor').variables).toContain('S3_SECRET_ACCESS_KEY=secret of s3')
  withDropIn(lines.replace('[Service]\n', ''))
  expect(run('doctor').variables.join('\n')).not.toContain('S3_SECRET_ACCESS_KEY')
})

test.each([
  ['is empty', 'DATABASE_URL_FILE=%d/empty', 'DATABASE_URL_FILE: the file ".*/empty" is empty.'],
  ['has no file', 'DATABASE_URL_FILE=%d/none', 'DATABASE_URL_FILE: the file "%d/none" cannot be read'],
  ['is given twice', 'TOKEN_SECRET=x', 'TOKEN_SECRET and TOKEN_SECRET_FILE are both set'],
])('a command does not run with a secret that %s, as the service would not', (_, assignment, said) => {
  onTestFinished(() => place('unit', unit))
  place('etc/secrets/empty', '\n')
  place('unit', `${unit}LoadCredential=empty:${folder}/etc/secrets/empty\nEnvironment=${assignment}\n`)
  const { status, stdout, stderr } = run('migrate')
  expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(said)])
})

test('another name is answered with the names that there are', () => {
  const { status, stderr } = run('lint')
  expect([status, stderr]).toEqual([1, expect.stringContaining('doctor')])
})
