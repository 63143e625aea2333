import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod/mini'
import { variables } from '../api/src/config/env-variables.ts'
import { fileVariable, secretNames } from '../api/src/config/secret-files.ts'

const text = fs.readFileSync(path.join(import.meta.dirname, '../compose.yaml'), 'utf8')
const dockerfile = fs.readFileSync(path.join(import.meta.dirname, '../Dockerfile'), 'utf8')

const limits = z.object({ cpus: z.string(), memory: z.string(), pids: z.number() })
const service = z.object({
  environment: z.record(z.string(), z.string()),
  deploy: z.object({ resources: z.object({ limits }) }),
})
const { services } = z
  .object({ services: z.object({ database: service, migrate: service, portal: service }) })
  .parse(parse(text, { merge: true }))

/** Set by the container itself: the port inside, the volume, and that it is not a demo. */
const ofContainer = ['PORT', 'HOST', 'DATA_DIR', 'NODE_ENV']
const everyVariable = [...Object.keys(variables), ...secretNames.map(fileVariable)]
// The address of the database is that of the service next to it, so it is not read from a file.
const handedOn = everyVariable.filter((name) => ![...ofContainer, 'DATABASE_URL_FILE'].includes(name))

test.each(['portal', 'migrate'] as const)('compose.yaml hands every variable on to %s', (name) => {
  const { environment } = services[name]
  expect(Object.keys(environment).sort()).toEqual(handedOn.toSorted())
  for (const variable of handedOn.filter((one) => one !== 'DATABASE_URL'))
    expect(environment[variable]).toMatch(new RegExp(`^\\$\\{${variable}:-[^}]*\\}$`))
})

test('the image is for real people: a demo in a container has to take NODE_ENV away', () => {
  const image = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
  expect(image).toMatch(/^ENV NODE_ENV=production /m)
  expect(image).toMatch(/^ENV .*\bDATA_DIR=\/data$/m)
})

test('no service can take the whole machine', () => {
  for (const { deploy } of Object.values(services))
    expect(deploy.resources.limits).toEqual({
      cpus: expect.stringMatching(/^\d+(\.\d+)?$/),
      memory: expect.stringMatching(/^\d+[MG]$/),
      pids: expect.any(Number),
    })
})
