/** Whether a text is the name of a time zone, such as `Europe/Bucharest`. Offsets are none: PostgreSQL reads their sign otherwise. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Z][A-Za-z]*(\/[A-Za-z0-9_+-]+){0,2}$/.test(text)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}
