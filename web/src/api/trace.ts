/**
 * The id of one call, by which the log of the server and its traces are searched: random, so that it says nothing about the person.
 * `randomUUID` is missing on pages without TLS.
 */
export const newTrace = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

/** The header that hands the id to the server, as in W3C Trace Context; the server decides whether to record. The call has one span. */
export const traceparent = (trace: string): string => `00-${trace}-${trace.slice(16)}-00`
