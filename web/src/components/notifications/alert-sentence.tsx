import { askedVerbs } from '@portico/contract/rules/asked-verbs.ts'
import type { Notification } from '../../api/queries/notifications.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { aboutInWords, alertInWords } from './alert-words.ts'

/** The names of verbs that need a second person. */
function verbInWords(verb: string): string {
  const [, words] = Object.entries(askedVerbs).find(([name]) => name === verb) ?? []
  return words?.[language() === 'ro' ? 'ro' : 'en'] ?? verb
}

/** The sentence of an alert or a request, which only staff have. */
export function AlertSentence({ kind, params }: Pick<Notification, 'kind' | 'params'>) {
  const { topic = '', about = '', by = '', verb = '', state } = params
  if (kind === 'staff_request') return m.notice_staff_request({ by, verb: verbInWords(verb), about })
  if (kind === 'staff_request_decided')
    return state === 'approved'
      ? m.notice_staff_request_approved({ verb: verbInWords(verb), about })
      : m.notice_staff_request_declined({ verb: verbInWords(verb), about })
  if (kind === 'staff_settings')
    return state === 'written'
      ? m.notice_staff_settings({ by, settings: about })
      : m.notice_staff_settings_unwritten({ by, settings: about })
  return `${alertInWords(topic)}: ${aboutInWords(about)}`
}
