import { language } from '../../../stores/language.ts'
import { m } from '../../../texts/compiled/messages.js'
import { dayInWords, daysBetween, utcToday } from '../../../ui/days.ts'
import { Status } from '../../../ui/status.tsx'
import { certificateTone } from './certificate-tone.ts'

/** When the certificate of a domain ends, in the colour of its urgency. */
export function Certificate({ expiresOn }: { expiresOn: string | null }) {
  if (expiresOn === null) return <Status tone="idle">{m.none()}</Status>
  const left = daysBetween(utcToday(), expiresOn)
  const date = dayInWords(expiresOn, language())
  return (
    <Status tone={certificateTone(left)}>
      {left < 0 ? m.certificate_ended({ date }) : m.until({ date })}
    </Status>
  )
}
