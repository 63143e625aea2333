import { parseArgs } from 'node:util'
import { adoption } from './adoption.ts'
import { eventChecks } from './events.ts'
import { checkEngine, type Outcome } from './run.ts'

// `npm run engine:check -- URL`: checks whether an engine conforms to the contract.

const usage = `Checks whether an engine keeps the contract of contract/panel-engine.v1.yaml.

  ENGINE_SECRET=whsec_… npm run engine:check -- https://engine.example.com [--events PORT] [--adopt ID]

ENGINE_SECRET is a secret of the engine. With --events this also listens like the portal, to check events and usage: set the
engine to send them to http://THIS-MACHINE:PORT, usage once a minute. Panels are created and deleted: use a test engine. With --adopt this also takes over the panel ID, which must be
nobody's and is nobody's again at the end; nothing in it is changed.`

const marks = { passed: 'ok    ', failed: 'FAILED', skipped: '-     ' } as const

function show({ name, state, detail }: Outcome): void {
  console.log(`${marks[state]} ${name}${detail === undefined ? '' : `: ${detail}`}`)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { events: { type: 'string' }, adopt: { type: 'string' }, help: { type: 'boolean' } },
})
const [url] = positionals
const { ENGINE_SECRET: secret } = process.env

if (values.help || url === undefined || !URL.canParse(url) || secret === undefined) {
  console.log(usage)
  process.exit(values.help ? 0 : 2)
}

const listening = values.events === undefined ? undefined : await eventChecks(Number(values.events), secret)
const adopting = values.adopt === undefined ? [] : [adoption(values.adopt)]
const outcomes = await checkEngine({ url, secret }, [...adopting, ...(listening?.checks ?? [])], show)
listening?.close()
const count = (state: Outcome['state']) => outcomes.filter((one) => one.state === state).length
console.log(`\n${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`)
process.exit(count('failed') === 0 ? 0 : 1)
