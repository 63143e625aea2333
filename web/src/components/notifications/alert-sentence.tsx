import type { Notification } from '../../api/queries/notifications.ts'
import { aboutInWords, alertInWords } from './alert-words.ts'

/** The sentence of an alert, which only staff have. */
export const AlertSentence = ({ params: { topic = '', about = '' } }: Pick<Notification, 'params'>) =>
  `${alertInWords(topic)}: ${aboutInWords(about)}`
