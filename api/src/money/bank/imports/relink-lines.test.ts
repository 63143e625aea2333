import { expect, test } from 'vitest'
import { newLinks } from './relink-lines.ts'

type Line = Parameters<typeof newLinks>[0][number]

const line = (id: number, state: string, same_as: number | null = null, amount = '10.00'): Line => ({
  id,
  state,
  amount,
  same_as,
})

const same = (id: number, as: number) => ({ id, as, isSame: true })
const doubtful = (id: number, as: number | null = null) => ({ id, as, isSame: false })

test.each<[string, Line[], Line[], object[]]>([
  [
    'a line that was the same as a removed one is the same as what that was the same as',
    [line(2, 'same', 1)],
    [line(5, 'same', 2), line(6, 'doubtful', 2)],
    [same(5, 1), same(6, 1)],
  ],
  [
    'the way goes over every removed line to the first that stays',
    [line(2, 'same', 1), line(3, 'same', 2), line(4, 'same', 3)],
    [line(5, 'same', 4)],
    [same(5, 1)],
  ],
  [
    'where none stays the first is doubtful, and the others are the same as it',
    [line(1, 'open')],
    [line(5, 'same', 1), line(6, 'same', 1), line(7, 'same', 1)],
    [doubtful(5), same(6, 5), same(7, 5)],
  ],
  [
    'a line of another amount is doubtful by itself, and not the first of others',
    [line(1, 'ignored', null, '30.00')],
    [line(5, 'same', 1), line(6, 'same', 1, '30.00'), line(7, 'same', 1, '30.00')],
    [doubtful(5), doubtful(6), same(7, 6)],
  ],
  [
    'the first of a removed doubtful line may be the same as what that one was',
    [line(2, 'doubtful', 1)],
    [line(5, 'same', 2), line(6, 'same', 2)],
    [doubtful(5, 1), same(6, 5)],
  ],
  ['a line is never the same as itself', [line(2, 'doubtful', 5)], [line(5, 'same', 2)], [doubtful(5)]],
  ['a doubtful line of a removed open one stays as it is', [line(1, 'open')], [line(5, 'doubtful', 1)], []],
  [
    'lines that are the same as each other stay as they are',
    [line(1, 'same', 2), line(2, 'same', 1)],
    [line(5, 'same', 1)],
    [],
  ],
])('%s', (_, removed, followers, links) => {
  expect(newLinks(removed, followers)).toEqual(links)
})
