import { Problem, type Refusal, reason } from '#platform/errors/problem.ts'

/** A 401, with the challenge that HTTP requires for it. */
export function unauthenticated(refusal: Refusal, challenge = 'Bearer'): Problem {
  return new Problem(refusal, { headers: { 'www-authenticate': challenge } })
}

/** The challenge to a request whose token was one once, or never. */
export const invalidToken = 'Bearer error="invalid_token"'

/** The 401 for a token that was one once, or never. */
export function sessionEnded(): Problem {
  return unauthenticated(reason('session_ended'), invalidToken)
}
