import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { startLanguage } from '../../stores/language.ts'
import statuses from '../../ui/status.module.css'
import { Deadline, type EInvoice, StateOf } from './document-words.tsx'

/** The deadline as it is shown: its words, and their colour. */
function shown(days_left: number, state: EInvoice['state'] = 'waiting', is_remakable = false) {
  const row = { state, due_on: '2026-12-02', days_left, is_remakable } as EInvoice // A deadline reads no other fields.
  const html = renderToStaticMarkup(<Deadline row={row} />)
  const colour = (['warn', 'bad', 'good', 'idle'] as const).find((tone) =>
    html.includes(`${statuses[tone]}"`),
  )
  return { words: html.replaceAll(/<[^>]+>/g, ' '), colour }
}

test('a deadline is amber two working days before it, and red from one on', () => {
  expect([3, 2, 1, 0, -1].map((left) => shown(left).colour)).toEqual([undefined, 'warn', 'bad', 'bad', 'bad'])
})

test.each(['waiting', 'sending', 'sent', 'unknown'] as const)(
  'a document that is %s has its colour',
  (state) => {
    expect([shown(2, state).colour, shown(1, state).colour]).toEqual(['warn', 'bad'])
  },
)

test('a rejected document that has to be made again has its colour', () => {
  expect([3, 2, 1].map((left) => shown(left, 'rejected', true).colour)).toEqual([undefined, 'warn', 'bad'])
})

test.each(['accepted', 'rejected'] as const)('a document that is %s has no deadline left', (state) => {
  expect(shown(-3, state)).toMatchObject({ words: expect.not.stringContaining('day'), colour: undefined })
})

test('the words say how many working days are left or past, in both languages', () => {
  const said = () => [2, 1, 0, -1, -3].map((left) => shown(left).words.trim().split(/ {2,}/).at(-1))
  expect(said()).toEqual([
    '2 working days left',
    '1 working day left',
    'Today is the last day',
    '1 working day late',
    '3 working days late',
  ])
  startLanguage('ro')
  try {
    expect(said()).toEqual([
      '2 zile lucrătoare rămase',
      '1 zi lucrătoare rămasă',
      'Astăzi este ultima zi',
      '1 zi lucrătoare de întârziere',
      '3 zile lucrătoare de întârziere',
    ])
  } finally {
    startLanguage('en')
  }
})

/** The state of a rejected document as it is shown. */
function rejected(kind: EInvoice['kind'], is_remakable: boolean) {
  const row = {
    state: 'rejected',
    kind,
    is_remakable,
    problem: null,
    said: null,
    upload_index: '5',
    earlier: [],
  }
  return renderToStaticMarkup(<StateOf row={row as unknown as EInvoice} />) // A state reads no other fields.
}

test('a rejected document says what is to be done about it, in both languages', () => {
  const said = () => [
    rejected('fiscal', true),
    rejected('credit_note', true),
    rejected('fiscal', false),
    rejected('credit_note', false),
  ]
  const [invoice, note, ...settled] = said()
  expect(invoice).toContain('credit it and issue a new document')
  expect(note).toContain('A credit note is not credited. Make its electronic invoice again')
  for (const one of settled) expect(one).toContain('Nothing is left to do')
  startLanguage('ro')
  try {
    const [factura, stornare, ...fara] = said()
    expect(factura).toContain('stornează-l și emite un document nou')
    expect(stornare).toContain('O factură de stornare nu se stornează. Refă factura electronică')
    for (const one of fara) expect(one).toContain('Nu mai este nimic de făcut')
  } finally {
    startLanguage('en')
  }
})
