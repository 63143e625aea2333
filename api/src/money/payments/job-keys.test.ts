import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '#test/support/database.ts'
import { autoKey, autoKeyOf, eventKey, eventKeyOf, refundKey, refundKeyOf } from './job-keys.ts'

const { pool } = await testDatabase(1)

test('keys are the same in SQL, so that a queued job is found', async () => {
  const { rows } =
    await sql`select ${eventKeyOf(sql`t.provider`, sql`t.ref`)} as event, ${refundKeyOf(sql`t.id`)} as refund,
    ${autoKeyOf(sql`t.id`)} as auto from (values ('stripe', 're_1', 7::bigint)) t (provider, ref, id)`.execute(
      pool.kysely,
    )
  expect(rows).toEqual([{ event: eventKey('stripe', 're_1'), refund: refundKey(7), auto: autoKey(7) }])
})
