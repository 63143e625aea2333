import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'

export type Department = Row<'desk-departments'>

/** A response time, such as `4 h` or `20 min`. */
export const spanInWords = (minutes: number): string =>
  minutes < 60
    ? m.desk_departments_minutes({ minutes })
    : m.desk_departments_hours({ hours: Math.round(minutes / 6) / 10 })
