import fs from 'node:fs'

export type Table = ReadonlyMap<string, readonly string[]>

/** The tables of the page, one for each type under its name: cells by `type row`, in the order of the columns. */
export function readTable(file: string): Table {
  const table = new Map<string, readonly string[]>()
  let type = ''
  for (const line of fs.readFileSync(file, 'utf8').split('\n')) {
    if (line.startsWith('## ')) type = line.slice(3).trim()
    if (type === '' || !line.startsWith('| ')) continue
    const [row = '', ...cells] = line
      .slice(1, -1)
      .split('|')
      .map((part) => part.trim())
    if (!/^-+$/.test(row) && row !== 'asked for') table.set(`${type} ${row}`, cells)
  }
  return table
}
