import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, type SchemaElement } from 'hyparquet'
import { fileWriter, ParquetWriter } from 'hyparquet-writer'
import { type EventRow, eventColumns, type Order, type Written } from './event-columns.ts'

// Small enough to be held in memory twice, and large enough to compress well.
const groupRows = 20_000

const { file }: { readonly file: string } = workerData
const schema: SchemaElement[] = [{ name: 'root', num_children: eventColumns.length }, ...eventColumns]
const writer = new ParquetWriter({
  writer: fileWriter(file),
  schema,
  codec: 'ZSTD',
  compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
  createdBy: 'portico',
})
let waiting: EventRow[] = []

/** Writes the waiting rows as one group. */
async function writeGroup(): Promise<void> {
  const columnData = eventColumns.map(({ name, type }, at) => ({
    name,
    data: waiting.map((row) => (type === 'INT64' ? BigInt(row[at] ?? 0) : row[at])),
  }))
  await writer.write({ columnData, rowGroupSize: waiting.length })
  waiting = []
}

/** Reads the file back, by code that did not write it. */
async function readBack(): Promise<Written> {
  const buffer = await asyncBufferFromFile(file)
  const metadata = await parquetMetadataAsync(buffer)
  const compressors = { ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes) }
  let rows = 0
  let millionths = 0n
  for (const group of metadata.row_groups) {
    const [rowStart, rowEnd] = [rows, rows + Number(group.num_rows)]
    const options = { file: buffer, metadata, compressors, columns: ['quantity'], rowStart, rowEnd }
    const read = await parquetReadObjects(options)
    rows += read.length
    // A number of at most 10^9 with six digits is exact when it is rounded to them.
    for (const { quantity } of read) millionths += BigInt(Math.round(Number(quantity) * 1e6))
  }
  const hash = createHash('sha256')
  await pipeline(fs.createReadStream(file), hash)
  return { rows, millionths, sha256: hash.digest('hex') }
}

async function obey(order: Order): Promise<Written | undefined> {
  if (order === 'end') {
    if (waiting.length > 0) await writeGroup()
    await writer.finish()
    return readBack()
  }
  waiting.push(...order.rows)
  if (waiting.length >= groupRows) await writeGroup()
  return undefined
}

// One order at a time: the next one comes after the answer. A failure ends the thread, which its owner sees.
parentPort?.on('message', (order: Order) => {
  void obey(order).then((answer) => parentPort?.postMessage(answer))
})
