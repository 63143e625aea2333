import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'

export type Department = Row<'desk-departments'>

/** All departments as they are now: browsers keep the list that clients choose from for a while. */
export const departmentsQuery = list('desk-departments', { sort: 'position', page: { size: 100 } })

/** A response time, such as `4 h` or `20 min`. */
export const spanInWords = (minutes: number): string =>
  minutes < 60
    ? m.desk_departments_minutes({ minutes })
    : m.desk_departments_hours({ hours: Math.round(minutes / 6) / 10 })
