/** Random bytes as hexadecimal digits. `randomUUID` is missing on pages without TLS. */
const random = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

/** The id of one call, by which the log of the server and its traces are searched. It says nothing about the person. */
export const newTrace = (): string => random(16)

/** The header that hands the id to the server, as in W3C Trace Context; the server decides whether to record. */
export const traceparent = (trace: string): string => `00-${trace}-${random(8)}-00`
