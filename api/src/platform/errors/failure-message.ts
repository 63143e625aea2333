/** The message of a failure without its line breaks. */
export function failureMessage(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return failureMessage(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  const text = error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 300)
}
