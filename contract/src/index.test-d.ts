import * as z from 'zod/mini'
import { registry, type Sound } from './index.ts'
import { resource, toOne } from './jsonapi.ts'

// Nothing here runs. `npm run types` fails when a line below a `@ts-expect-error` compiles.

const stray = {
  tags: resource('tags', { description: '', attributes: {}, relationships: { to: toOne('moons') } }),
}
// @ts-expect-error There is no type `moons`.
stray satisfies Sound<typeof stray>

const misnamed = { ...registry, tags: registry.currencies }
// @ts-expect-error The key is not the name of the type.
misnamed satisfies Sound<typeof misnamed>

// @ts-expect-error `colour` is not an attribute, so nobody can send it.
resource('tags', { description: '', attributes: { name: z.string() }, create: ['colour'] })
