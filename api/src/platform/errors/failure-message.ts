function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}

/** The message of a failure and of its cause, in one line of at most 300 characters. */
export function failureMessage(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return failureMessage(error.errors[0])
  return messageOf(error).replaceAll(/\s+/g, ' ').trim().slice(0, 300)
}
