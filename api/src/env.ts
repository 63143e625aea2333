/** An expected reason not to start, for the operator: one clear sentence and no stack. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart'
}
