import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import zlib from 'node:zlib'

const brotli = promisify(zlib.brotliCompress)
const gzip = promisify(zlib.gzip)

const worthIt = /\.(?:js|css|html|svg|json|txt)$/

// Of smaller files, the header that names the encoding takes what it saves.
const leastBytes = 150

async function compressFile(file: string): Promise<void> {
  const content = fs.readFileSync(file)
  if (content.length < leastBytes) return
  const params = {
    [zlib.constants.BROTLI_PARAM_QUALITY]: 11,
    // By default the largest file gets larger blocks, which suit it less.
    [zlib.constants.BROTLI_PARAM_LGBLOCK]: 16,
    [zlib.constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  }
  const [br, gz] = await Promise.all([brotli(content, { params }), gzip(content, { level: 9 })])
  fs.writeFileSync(`${file}.br`, br)
  fs.writeFileSync(`${file}.gz`, gz)
}

/**
 * Writes a .br and a .gz next to every file that gets smaller by it, at build instead of at every request.
 */
export async function compressAll(folder: string): Promise<void> {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
  await Promise.all(
    names.filter((name) => worthIt.test(name)).map((name) => compressFile(path.join(folder, name))),
  )
}
