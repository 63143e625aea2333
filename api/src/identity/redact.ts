// Parameters that hold a secret, in the addresses of ours and in those a provider sends people back to.
const secretParameters =
  /([?&](?:refreshToken|refresh_token|access_token|token|code|state|hash|signature)=)[^&#]*/gi

/** An address without the secrets in its query, fit for a log line. */
export function safeUrl(url: string): string {
  return url.replace(secretParameters, '$1[redacted]')
}

const secretHeaders = ['authorization', 'cookie', '["set-cookie"]', '["x-api-key"]']
const secretFields = ['password', 'token', 'refreshToken', 'access_token', 'refresh_token', 'code']

/** pino's `redact` option: what never reaches a log line, in a logged request, answer, body or query. */
export const redact = {
  paths: [
    ...['headers', 'req.headers', 'res.headers'].flatMap((place) =>
      secretHeaders.map((name) => (name.startsWith('[') ? `${place}${name}` : `${place}.${name}`)),
    ),
    ...secretFields,
    ...['body', 'query', 'req.body', 'req.query'].flatMap((place) =>
      secretFields.map((name) => `${place}.${name}`),
    ),
  ],
  censor: '[redacted]',
}
