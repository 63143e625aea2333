const secretHeaders = ['authorization', 'cookie', '["set-cookie"]', '["x-api-key"]']
const secretFields = [
  'password',
  'current_password',
  'token',
  'refreshToken',
  'access_token',
  'refresh_token',
  'code',
  'challenge',
  'hash',
  'secret',
  'otpauth_url',
  'recovery_codes',
]

/** pino's `redact` option: fields that never reach the log, in a logged request, response, body or query. */
export const redact = {
  paths: [
    ...['headers', 'req.headers', 'res.headers'].flatMap((place) =>
      secretHeaders.map((name) => (name.startsWith('[') ? `${place}${name}` : `${place}.${name}`)),
    ),
    ...secretFields,
    // PostgreSQL quotes the whole row that violated a constraint, hashes included.
    'err.detail',
    ...['body', 'query', 'req.body', 'req.query'].flatMap((place) =>
      secretFields.map((name) => `${place}.${name}`),
    ),
  ],
  censor: '[redacted]',
}
