/** The text of another server's answer, in UTF-8. Throws when it has more bytes than it may. */
export async function boundedText(answer: Response, mostBytes: number): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answer.body ?? []) {
    size += part.byteLength
    if (size > mostBytes) throw new Error(`${answer.url} is larger than ${mostBytes} bytes.`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
