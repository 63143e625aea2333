import { codeOf } from '#platform/db/sql-states.ts'

/** The codes of a certificate that is not accepted: its authority, its dates or its name. */
const refused =
  /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(?:GET|VERIFY)_|HOSTNAME_MISMATCH$|ERR_TLS_CERT_ALTNAME_)/
const unknownAuthority = /^(?:DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/

/** Whether the connection failed at the certificate of the server. */
export const isCertificateRefused = (error: unknown): boolean => refused.test(codeOf(error))

/** The same failure, which says for a refused certificate what to do; any other failure as it is. */
export function explainCertificate(error: unknown): unknown {
  if (!(error instanceof Error && isCertificateRefused(error))) return error
  const code = codeOf(error)
  // Node words it by what it was asked for last, and advises flags of its own.
  const why = unknownAuthority.test(code)
    ? `no known authority signed it (${code}); name the file of its authority by sslrootcert in the address`
    : error.message
  const text = `the certificate of the server is not accepted: ${why}`
  return Object.assign(new Error(text, { cause: error }), { code })
}
