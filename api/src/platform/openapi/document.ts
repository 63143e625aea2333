import type { Resource } from '@portico/contract/jsonapi.ts'
import { refusals } from '@portico/contract/refusals/index.ts'
import { callPaths, callTags } from './calls.ts'
import { type Described, pathsOf, schemasOf } from './data-api.ts'
import { exactly, type Json, text, version } from './json-schema.ts'
import { headers, responses } from './operations.ts'
import { parameters } from './parameters.ts'

/** The body of every refusal. */
export const errors: Json = exactly({
  jsonapi: version,
  errors: {
    type: 'array',
    minItems: 1,
    items: exactly(
      {
        id: text,
        status: { type: 'string', pattern: '^[45][0-9]{2}$' },
        code: { enum: Object.keys(refusals) },
        title: text,
        detail: text,
        source: exactly({ pointer: text, parameter: text, header: text }, []),
        meta: { type: 'object' },
      },
      ['status', 'code', 'title', 'detail'],
    ),
  },
})

const introduction = `These calls offer programs everything that the browser app of the portal does.

**Sign in** as a program with \`x-portico-client: api\`: \`POST /auth/login\` answers a code, \`GET /auth/callback?code=…\` the tokens; or make an API key in the portal. Either is sent as \`Authorization: Bearer …\`.

**Data** are JSON:API 1.1 under \`/api/v1\` (\`application/vnd.api+json\`). A resource that the reader may not see is 404 everywhere; a forbidden action is 403. \`meta.may\` of each resource lists the actions that its reader may take.

**Refusals** are JSON:API errors with a stable \`code\`, a sentence in the language of the account (English for programs), and the place of the fault in \`source\`.

**Limits**: 800 reads and 120 writes a minute. \`RateLimit-*\` in each response states the rest; beyond the limit the response is 429 with \`Retry-After\`.

**Money** are JSON numbers, exact to six decimals. A POST that moves money carries an \`Idempotency-Key\`, so that it can be repeated safely.`

/** The whole API as OpenAPI 3.1, generated from the contract. */
export function openApi(types: readonly Described[]): Json {
  const all = new Map<string, Resource>(types.map(({ contract }) => [contract.type, contract]))
  const data = types.map((described) => pathsOf(described, all))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portico',
      version: '1',
      summary: 'The customer portal of a hosting cloud.',
      description: introduction,
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [
      ...callTags.map((name) => ({ name })),
      ...types.map(({ contract }) => ({ name: contract.type, description: contract.description })),
    ],
    paths: Object.assign({}, callPaths(), ...data),
    components: {
      schemas: { ...schemasOf(types), errors },
      parameters,
      headers,
      responses,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token, or an API key from one of its addresses.',
        },
      },
    },
  }
}
