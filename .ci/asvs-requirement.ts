/** A requirement of OWASP ASVS 5.0, with the tests that show it: where, and the beginning of the name. */
export type Requirement = {
  readonly ids: string
  readonly requirement: string
  readonly shown: readonly (readonly [file: string, test: string])[]
}
