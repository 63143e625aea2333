import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Markdown } from './markdown.tsx'

const html = (source: string): string => renderToStaticMarkup(<Markdown source={source} />)

/** The rendered elements. */
const elements = (source: string): string[] => [
  ...new Set([...html(source).matchAll(/<([a-z0-9]+)/g)].flatMap(([, name]) => name ?? [])),
]

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  'a <b onclick=alert(1)>b</b>',
  '<!-- <p> -->',
  '<style>*{display:none}</style>',
  '![x](https://elsewhere.test/x.png)',
  '![x][y]\n\n[y]: https://elsewhere.test/x.png',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt&colon;alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](//elsewhere.test)',
  '[x](/manage-account)',
  '[x][y]\n\n[y]: vbscript:x',
  '<javascript:alert(1)>',
])('%j makes no element but those of text and links', (source) => {
  expect(elements(source).filter((name) => !['div', 'p', 'b', 'a'].includes(name))).toEqual([])
  expect(html(source)).not.toMatch(/<b |href="(?!https:\/\/elsewhere\.test\/x\.png)/)
})

test('a text keeps its structure and its lines', () => {
  expect(elements('# a\n\n**b** *c* `d`\n\n- e\n\n1. f\n\n> g\n\n```\nh\n```\n\n---')).toEqual([
    ...['div', 'p', 'strong', 'em', 'code', 'ul', 'li', 'ol', 'blockquote', 'pre', 'hr'],
  ])
  expect(html('one\ntwo')).toContain('one\ntwo')
})

test('links open in a new tab without a referrer, in every notation', () => {
  for (const source of [
    '[guide](https://docs.test/)',
    'https://docs.test/',
    '[guide][g]\n\n[g]: https://docs.test/',
  ])
    expect(html(source)).toContain(
      'href="https://docs.test/" title="https://docs.test/" target="_blank" rel="noopener noreferrer nofollow"',
    )
})

test.each([
  ['quotes in quotes', '>'.repeat(19_000)],
  ['quotes after a line', `a\n\t${'> '.repeat(4_000)}`],
  ['lists in lists', '- '.repeat(9_000)],
  ['emphasis', '*a**a*'.repeat(160)],
  ['more emphasis than anybody writes', '*a**a*'.repeat(1_600)],
  ['brackets', '['.repeat(9_900)],
  ['lists by indent', Array.from({ length: 130 }, (_, at) => `${' '.repeat(at)}- a`).join('\n')],
])('%s that go deep do not take the page with them', (_, source) => {
  expect(html(source).length).toBeGreaterThanOrEqual(source.trim().length / 4)
})
