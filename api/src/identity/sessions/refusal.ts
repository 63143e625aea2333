import { Problem } from '#platform/errors/problem.ts'

/** A 401, with the challenge that HTTP asks for beside it. */
export function refusal(detail: string, challenge = 'Bearer'): Problem {
  return new Problem('unauthenticated', detail, { headers: { 'www-authenticate': challenge } })
}

/** The 401 for a token that was one once, or never. */
export function sessionEnded(): Problem {
  return refusal('The session has ended. Sign in again.', 'Bearer error="invalid_token"')
}
