import { Problem, type Refusal, reason } from '#platform/errors/problem.ts'

/** A 401 with the challenge that HTTP requires. */
export function unauthenticated(refusal: Refusal, challenge = 'Bearer'): Problem {
  return new Problem(refusal, { headers: { 'www-authenticate': challenge } })
}

/** The challenge for an expired or invalid token. */
export const invalidToken = 'Bearer error="invalid_token"'

/** The 401 for an expired or invalid token. */
export function sessionEnded(): Problem {
  return unauthenticated(reason('session_ended'), invalidToken)
}
