import { speakPlainly } from '@portico/contract/fault-sentences.ts'
import { projects } from '@portico/contract/resources/projects.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { faultInWords } from './faults.ts'
import { locale, speakAs } from './locale.ts'

speakPlainly()
const before = locale()
beforeAll(() => speakAs(() => 'ro'))
afterAll(() => speakAs(() => before))

const faultOf = (schema: z.ZodMiniType, value: unknown): string =>
  z.safeParse(schema, value).error?.issues[0]?.message ?? 'no fault'

test.each<[z.ZodMiniType, unknown, string, string]>([
  [
    projects.attributes.name,
    undefined,
    'Project name is required',
    'Numele spațiului de lucru este obligatoriu',
  ],
  [projects.attributes.name, null, 'Project name is required', 'Numele spațiului de lucru este obligatoriu'],
  [projects.attributes.name, 12, 'Expected text', 'Valoarea trebuie să fie un text'],
  [z.int(), undefined, 'A value is required', 'Valoarea este obligatorie'],
  [z.number(), 'x', 'Expected a number', 'Valoarea trebuie să fie un număr'],
  [z.int(), 1.5, 'Expected a whole number', 'Valoarea trebuie să fie un număr întreg'],
  [z.boolean(), 'x', 'Expected true or false', 'Valoarea trebuie să fie da sau nu'],
  [z.array(z.string()), {}, 'Expected a list', 'Valoarea trebuie să fie o listă'],
  [z.object({}), [], 'Not a valid value', 'Valoarea nu este validă'],
  [z.enum(['a', 'b']), 'c', 'Expected one of a, b', 'Alege una dintre valorile: a, b'],
  [z.union([z.literal(1), z.literal(2)]), 3, 'Expected one of 1, 2', 'Alege una dintre valorile: 1, 2'],
  [z.union([z.int(), z.array(z.int())]), 'x', 'Not a valid value', 'Valoarea nu este validă'],
  [z.url(), 'x', 'Not a valid web address', 'Adresa web nu este validă'],
  [z.email(), 'x', 'Not a valid e-mail address', 'Adresa de e-mail nu este validă'],
  [
    z.iso.datetime(),
    'x',
    'Expected a moment in UTC, as 2026-03-18T12:00:00Z',
    'Scrie o zi și o oră, de exemplu 2026-03-18T12:00:00Z',
  ],
  [z.iso.date(), 'x', 'Expected a day, as 2026-03-18', 'Scrie ziua astfel: 2026-03-18'],
  [z.string().check(z.maxLength(3)), 'abcd', 'At most 3 characters', 'Cel mult 3 caractere'],
  [z.array(z.int()).check(z.maxLength(2)), [1, 2, 3], 'At most 2 entries', 'Cel mult 2 elemente'],
  [z.array(z.int()).check(z.minLength(2)), [1], 'At least 2 entries', 'Cel puțin 2 elemente'],
  [z.number().check(z.gte(5)), 4, 'At least 5', 'Cel puțin 5'],
  [z.number().check(z.lte(5)), 6, 'At most 5', 'Cel mult 5'],
  [z.number().check(z.positive()), 0, 'More than 0', 'Mai mult de 0'],
  [z.number().check(z.lt(5)), 5, 'Less than 5', 'Mai puțin de 5'],
])('a fault in a value is a sentence, and one in Romanian (%#)', (schema, value, english, romanian) => {
  const sentence = faultOf(schema, value)
  expect([sentence, faultInWords(sentence)]).toEqual([english, romanian])
})

test('a field that is not there is named', () => {
  expect(faultOf(z.strictObject({}), { colour: 1 })).toBe('There is no field colour')
})

test.each(['project is required.', 'ticketDepartment is required.', 'panel cannot be empty.'])(
  'a relationship that is missing is a sentence in Romanian: %s',
  (sentence) => {
    expect(faultInWords(sentence)).toBe('Valoarea este obligatorie')
  },
)
