import { expect, test } from 'vitest'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import { inputOf, type Request } from './words.ts'

const said = (input: Record<string, unknown>) =>
  inputOf({ input, currency: 'RON' } as Request) // A request with what its input needs.
    .map(({ name, value }) => `${name}: ${value}`)

test('an approver reads which lines are credited, and where the money goes', () => {
  expect(said({ lines: [1, 3], to: 'bank' })).toEqual([
    `${m.desk_credit_lines_label()}: 1, 3`,
    `${m.desk_credit_to()}: ${m.desk_credit_to_bank()}`,
  ])
})

test('an approver reads the lines of an invoice in both languages, with their prices', () => {
  const lines = [
    { description_en: 'Set-up', description_ro: 'Instalare', quantity: 1, unit_price: 20 },
    { description_en: 'Training', quantity: 3, unit_price: 3.5 },
  ]
  expect(said({ lines })).toEqual([
    `${m.desk_credit_lines_label()}: Set-up / Instalare: 1 × ${money(20, 'RON')}, Training: 3 × ${money(3.5, 'RON')}`,
  ])
})

test('what is neither is shown as it was given', () => {
  expect(said({ lines: [{ odd: true }], net: 12.5 })).toEqual([
    `${m.desk_credit_lines_label()}: [{"odd":true}]`,
    `${m.desk_credit_net()}: ${money(12.5, 'RON')}`,
  ])
})
