import { extractTextItems, getDocumentProxy, getResolvedPDFJS } from 'unpdf'

/** The contents of a PDF in reading order: rows from top to bottom, texts from left to right, and the fill colours. */
export type ReadPdf = {
  readonly title: string
  readonly pages: number
  /** The right end of the texts, in points; A4 is 595 wide. */
  readonly right: number
  readonly rows: readonly string[]
  /** `#rrggbb`, of letters and of pictures. */
  readonly colours: readonly string[]
}

type Item = { readonly str: string; readonly x: number; readonly y: number }

/** Texts that stand at the same height, within a point. */
function rowsOf(items: readonly Item[]): string[] {
  const rows: { y: number; items: Item[] }[] = []
  for (const item of items) {
    const row = rows.find(({ y }) => Math.abs(y - item.y) < 1)
    if (row) row.items.push(item)
    else rows.push({ y: item.y, items: [item] })
  }
  return rows
    .sort((a, b) => b.y - a.y)
    .map((row) =>
      row.items
        .sort((a, b) => a.x - b.x)
        .map(({ str }) => str)
        .join(' '),
    )
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '')
}

/** Reads a PDF back. Throws for what is none. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  // The reader takes ownership of the buffer, so it gets a copy.
  const pdf = await getDocumentProxy(new Uint8Array(bytes))
  const { OPS } = await getResolvedPDFJS()
  const { items, totalPages } = await extractTextItems(pdf)
  const { fnArray, argsArray } = await (await pdf.getPage(1)).getOperatorList()
  const filled = argsArray.filter((_, at) => fnArray[at] === OPS.setFillRGBColor)
  const { info } = await pdf.getMetadata()
  await pdf.loadingTask.destroy()
  return {
    title: String(Reflect.get(info, 'Title')),
    pages: totalPages,
    right: Math.max(...items.flat().map(({ x, width }) => x + width)),
    rows: items.flatMap(rowsOf),
    colours: [...new Set(filled.map((colour) => String(colour[0])))],
  }
}
