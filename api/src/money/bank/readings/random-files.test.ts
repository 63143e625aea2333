import { base } from '@portico/contract/wire.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { bankDesk, checkSuspense } from '#test/support/bank-desk.ts'
import { type File, fileOf, formats, movements, type Payment } from '#test/support/bank-files.ts'
import { makePayer } from '#test/support/card.ts'
import { Choices } from '#test/support/choices.ts'
import { importFile, leaveOtherDays } from '#test/support/statements.ts'
import { isWhole, runSeed } from '#test/support/sweep.ts'

// Random files of one bank, which are imported, decided about and taken back in random order by people who know its payments.

const { db, importer, portal } = await bankDesk('admin')
const { id: client_id } = await makePayer(portal)
await sql`update staff_limits set per_action = 1000000, per_day = 100000000 where verb = 'recordBankTransfer'`.execute(
  db,
)
checkSuspense(db)

type Row = {
  readonly id: number
  readonly statement: number
  readonly at: number
  readonly state: string
  readonly other: number | null
}

/** Payments that a format may take for each other. */
const kindOf = ({ amount, payer }: Payment) => `${amount} ${payer}`

const isInBooks = ({ state }: Row) => ['open', 'ignored', 'matched'].includes(state)

const countOf = (payments: Iterable<Payment>) => {
  const counts = new Map<string, number>()
  for (const one of payments) counts.set(kindOf(one), (counts.get(kindOf(one)) ?? 0) + 1)
  return counts
}

class World {
  readonly #choices: Choices
  readonly #files = new Map<number, File>()
  readonly #gone = new Set<number>()
  /** What was done, for the one who reads why a world failed. */
  readonly log: string[] = []

  constructor(choices: Choices) {
    this.#choices = choices
  }

  async rows(): Promise<Row[]> {
    const { rows } =
      await sql<Row>`select id, statement_id as statement, file_line as at, state, same_as as other
      from bank_lines where state <> 'taken_back' and booked_on > '2020-01-01' order by id`.execute(db)
    return rows
  }

  /** The payments that a line is. */
  #paymentsOf({ statement, at }: Row): readonly Payment[] {
    return this.#files.get(statement)?.payments.get(at) ?? []
  }

  async #act(type: string, id: number, verb: string, input: object = {}): Promise<readonly string[]> {
    const { faults } = await importer.post(`${base}/${type}/${id}/-actions/${verb}`, input)
    this.log.push(`${verb} of ${id} ${JSON.stringify(input)}: ${faults.join(', ')}`)
    return faults
  }

  /** Imports a file. Returns how many lines it adds. */
  async bring(file: File): Promise<number> {
    const { columns, name } = file.format
    const answer = await importFile(importer, file.content, columns ? { columns } : {})
    this.log.push(
      `${name} of ${file.all.map((one) => JSON.stringify(Object.values(one))).join(' ')}: ${answer.text}`,
    )
    expect(answer.faults).toEqual([])
    const { statement_id, imported, doubtful } = JSON.parse(answer.text)
    this.#files.set(statement_id, file)
    return imported + doubtful
  }

  /** The files that were imported and not taken back. */
  get files(): File[] {
    return [...this.#files].filter(([id]) => !this.#gone.has(id)).map(([, file]) => file)
  }

  /** All payments of which there is a file, or a line that stayed. */
  #known(rows: readonly Row[]): Set<Payment> {
    const stayed = rows.filter((row) => isInBooks(row) && this.#gone.has(row.statement))
    return new Set([
      ...this.files.flatMap(({ all }) => all),
      ...stayed.flatMap((row) => this.#paymentsOf(row)),
    ])
  }

  /** Kinds of payments of which the books have too few or too many. */
  wrong(rows: readonly Row[]): object[] {
    const books = countOf(rows.filter(isInBooks).flatMap((row) => this.#paymentsOf(row)))
    const most = countOf(this.#known(rows))
    const counts = this.files.map(({ all }) => countOf(all))
    return [...new Set([...books.keys(), ...most.keys()])].flatMap((kind) => {
      // Two files with one of two payments just alike may be of one payment.
      const least = Math.max(0, ...counts.map((count) => count.get(kind) ?? 0))
      const [count, all] = [books.get(kind) ?? 0, most.get(kind) ?? 0]
      return count < least || count > all ? [{ kind, count, least, all }] : []
    })
  }

  /** A file that was taken back, and has just these payments on lines of their own. */
  #goneWith(payments: readonly Payment[]): File | undefined {
    const found = [...this.#files].find(([id, file]) => {
      const lines = [...file.payments.values()].filter((line) => line.some((one) => payments.includes(one)))
      return (
        this.#gone.has(id) && lines.length === payments.length && lines.every((line) => line.length === 1)
      )
    })
    return found?.[1]
  }

  /** Whether the line for which another one is doubtful has just its payments, and is in the books. */
  #isKnown(own: readonly Payment[], money: Row | undefined): boolean {
    const theirs = money && isInBooks(money) ? this.#paymentsOf(money) : []
    return theirs.length === own.length && own.every((one) => theirs.includes(one))
  }

  /**
   * Decides about a doubtful line: the same as the other one where that has just its payments, and else other money while the books have
   * fewer of its payments than there are. Where the books have some of a batch, the file with the others is brought first.
   */
  async #decide(row: Row, rows: readonly Row[]): Promise<void> {
    const own = this.#paymentsOf(row)
    const [books, most] = [
      countOf([...rows.filter(isInBooks).flatMap((one) => this.#paymentsOf(one)), ...own]),
      countOf(this.#known(rows)),
    ]
    const lacking = own.filter((one) => (books.get(kindOf(one)) ?? 0) <= (most.get(kindOf(one)) ?? 0))
    const isKnown = this.#isKnown(own, this.#moneyOf(row, rows))
    if (lacking.length === own.length && !isKnown) {
      expect(await this.#act('bank-lines', row.id, 'otherMoney')).toEqual([])
      return
    }
    const gone = lacking.length > 0 && !isKnown ? this.#goneWith(lacking) : undefined
    if (gone) {
      await this.bring(gone)
      return
    }
    const kinds = new Set(own.map(kindOf))
    const alike = rows.filter(
      (one) => isInBooks(one) && this.#paymentsOf(one).some((each) => kinds.has(kindOf(each))),
    )
    const money = this.#moneyOf(row, rows)
    for (const { id } of alike.toSorted((one, other) => Number(other === money) - Number(one === money)))
      if (
        (await this.#act('bank-lines', row.id, 'sameMoney', id === money?.id ? {} : { of: id })).length === 0
      )
        return
    throw new Error(`Nobody can say of line ${row.id} that it is known.\n${this.log.join('\n')}`)
  }

  /** The line whose money another one is, or may be. */
  #moneyOf({ other }: Row, rows: readonly Row[]): Row | undefined {
    const found = rows.find(({ id }) => id === other)
    return found?.state === 'same' ? this.#moneyOf(found, rows) : found
  }

  /** Decides about doubtful lines, payments before sums of batches. */
  async decideSome(isDecided: () => boolean): Promise<void> {
    const doubtful = (await this.rows())
      .filter(({ state }) => state === 'doubtful')
      .toSorted((one, other) => this.#paymentsOf(one).length - this.#paymentsOf(other).length)
    for (const { id } of doubtful) {
      if (!isDecided()) continue
      const rows = await this.rows()
      const row = rows.find((one) => one.id === id)
      if (row?.state === 'doubtful') await this.#decide(row, rows)
    }
  }

  /** Says of an import that all its doubtful lines are known, where they are. */
  async sayAllSame(): Promise<void> {
    const rows = await this.rows()
    const doubtful = rows.filter(({ state }) => state === 'doubtful')
    const isSame = (row: Row) => {
      const money = this.#moneyOf(row, rows)
      return (
        money !== undefined &&
        isInBooks(money) &&
        this.#paymentsOf(row).some((one) => this.#paymentsOf(money).includes(one))
      )
    }
    const statements = Map.groupBy(doubtful, ({ statement }) => statement)
    const sure = [...statements].find(([, lines]) => lines.every(isSame))
    // By mistake another line of the import may have that money already.
    const answers = [[], ['409 bank_statement_not_doubtful']]
    if (sure) expect(answers).toContainEqual(await this.#act('bank-statements', sure[0], 'sameAll'))
  }

  async match(): Promise<void> {
    const one = this.#choices.one((await this.rows()).filter(({ state }) => state === 'open'))
    if (one) expect(await this.#act('bank-lines', one.id, 'matchLine', { client_id })).toEqual([])
  }

  /** A line that is or was doubtful, and one in the books of its amount that is other money. */
  #mistaken(rows: readonly Row[]): readonly [Row, Row] | undefined {
    const sum = (row: Row) =>
      this.#paymentsOf(row)
        .reduce((all, { amount }) => all.plus(amount), new Big(0))
        .toFixed(2)
    const pairs = rows.flatMap((line) =>
      line.other === null || !['doubtful', 'open'].includes(line.state)
        ? []
        : rows
            .filter((other) => isInBooks(other) && sum(other) === sum(line) && this.#isOther(line, other))
            .map((other) => [line, other] as const),
    )
    // A line that is the money of others is a chain once it is the same itself.
    const chains = pairs.filter(([{ id }]) =>
      rows.some(({ other, state }) => state === 'same' && other === id),
    )
    return this.#choices.one(chains.length > 0 ? chains : pairs)
  }

  #isOther(line: Row, other: Row): boolean {
    const kinds = new Set(this.#paymentsOf(line).map(kindOf))
    return this.#paymentsOf(other).every((one) => !kinds.has(kindOf(one)))
  }

  /** Lines that are the same as other money. */
  #astray(rows: readonly Row[]): number[] {
    const byId = new Map(rows.map((row) => [row.id, row]))
    return rows.flatMap((row) => {
      const other = row.state === 'same' ? byId.get(row.other ?? 0) : undefined
      return other && this.#isOther(row, other) ? [row.id] : []
    })
  }

  /**
   * Says of a line that it is other money than it is, and takes that back, while people decide about other lines in between: those are the
   * money that they were. Where an import was taken back in between, lines are the same as each other by what was mistaken.
   */
  async mistake(meanwhile: () => Promise<unknown>): Promise<void> {
    const before = await this.rows()
    const [line, other] = this.#mistaken(before) ?? []
    if (!line || !other) return
    expect(await this.#act('bank-lines', line.id, 'sameMoney', { of: other.id })).toEqual([])
    const gone = this.#gone.size
    await meanwhile()
    const undo = async (id: number) => expect(await this.#act('bank-lines', id, 'undoMatch')).toEqual([])
    if ((await this.rows()).some(({ id, state }) => id === line.id && state === 'same')) await undo(line.id)
    if (gone < this.#gone.size) for (const id of this.#astray(await this.rows())) await undo(id)
    const astray = this.#astray(await this.rows()).filter((id) => !this.#astray(before).includes(id))
    expect(astray, this.log.join('\n')).toEqual([])
  }

  async undo(): Promise<void> {
    const one = this.#choices.one(
      (await this.rows()).filter(({ state }) => state === 'same' || state === 'matched'),
    )
    if (one) expect(await this.#act('bank-lines', one.id, 'undoMatch')).toEqual([])
  }

  async takeBack(): Promise<void> {
    const one = this.#choices.one([...this.#files.keys()].filter((id) => !this.#gone.has(id)))
    if (one === undefined) return
    const faults = await this.#act('bank-statements', one, 'takeBack')
    if (faults.length === 0) this.#gone.add(one)
    else expect(faults).toEqual(['409 bank_statement_matched'])
  }
}

/** Some days in a world: files that overlap, each in one of a few formats, and what people do in between. */
async function live(choices: Choices, world: World): Promise<void> {
  const all = movements(choices)
  const chosen = choices.part() < 0.5 ? formats : [choices.oneOf(...formats), choices.oneOf(...formats)]
  const maybe = async (chance: number, act: () => Promise<unknown>) => {
    if (choices.part() < chance) await act()
  }
  const mistakes = (most: number): Promise<void> =>
    world.mistake(async () => {
      await maybe(0.4, () => world.sayAllSame())
      await maybe(0.2, () => world.takeBack())
      await world.decideSome(() => choices.part() < 0.3)
      if (most > 1) await mistakes(most - 1)
    })
  for (let n = 0; n < 5; n++) {
    const from = choices.below(all.length)
    const morning = all.findIndex(({ day }) => day === all[from]?.day)
    const some = all.slice(choices.oneOf(from, morning), from + 1 + choices.below(all.length - from))
    if (some.every(({ payments }) => payments.length === 0)) continue
    const file = await fileOf(some, choices.one(chosen) ?? formats[0])
    await world.bring(file)
    await maybe(0.25, () => world.takeBack())
    await maybe(0.2, () => world.bring(file))
    await maybe(0.3, () => world.match())
    await maybe(0.3, () => world.sayAllSame())
    await maybe(0.7, () => mistakes(2))
    await world.decideSome(() => choices.part() < 0.4)
    await maybe(0.2, () => world.undo())
  }
}

const worlds = isWhole ? 200 : 1

test('files in any order and format lose nothing, bring nothing twice, and leave nothing that nobody can decide', {
  timeout: worlds * 60_000,
}, async () => {
  for (let n = 0; n < worlds; n++) {
    await leaveOtherDays(db)
    const world = new World(new Choices(runSeed + n))
    await live(new Choices(runSeed + n), world)
    // What a taken-back import brought for others is there once they are imported again.
    for (const file of world.files) await world.bring(file)
    for (let round = 0; round < 3; round++) await world.decideSome(() => true)
    let again = 0
    for (const file of world.files) again += await world.bring(file)
    const wrong = world.wrong(await world.rows())
    expect({ seed: runSeed + n, wrong, again }, world.log.join('\n')).toEqual({
      seed: runSeed + n,
      wrong: [],
      again: 0,
    })
  }
})
