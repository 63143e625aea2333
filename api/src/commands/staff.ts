import { CannotStart, readEnv } from '#config/env.ts'
import { addStaff, disableStaff, listStaff, resetFactorsOf } from '#identity/staff-registry.ts'
import { systemClock } from '#platform/clock.ts'
import type { Pool } from '#platform/db/pool.ts'
import { Problem } from '#platform/errors/problem.ts'
import { staffRole } from '#staff/roles.ts'
import { withDatabase } from './with-database.ts'

const usage = `Lists and changes staff.

  npm run staff:list
  npm run staff:add -- EMAIL ROLE ["DISPLAY NAME"]   ROLE: ${staffRole.options.join(', ')}
  npm run staff:disable -- EMAIL                     revokes all rights, at once
  npm run staff:reset -- EMAIL                       removes a second factor that was lost`

type Db = Pool['kysely']

async function add(db: Db, [email = '', asked, displayName, ...more]: string[]): Promise<void> {
  const role = staffRole.safeParse(asked)
  const name = displayName?.trim()
  if (email === '' || !role.success || name === '' || (name?.length ?? 0) > 80 || more.length > 0)
    throw new CannotStart(usage)
  await db
    .transaction()
    .execute((tx) => addStaff({ tx, now: systemClock.now() }, { email, role: role.data, displayName: name }))
  console.log(`${email} is now a staff member with the role ${role.data}. The rights require a second factor: two-factor
authentication or a passkey, in the portal under Manage account, Sign-in.`)
}

async function disable(db: Db, [email = '', ...more]: string[]): Promise<void> {
  if (email === '' || more.length > 0) throw new CannotStart(usage)
  const done = await db.transaction().execute((tx) => disableStaff({ tx, now: systemClock.now() }, email))
  if (!done) throw new CannotStart(`There is no staff member with the address ${email}.`)
  console.log(`${email} is no longer a staff member.`)
}

async function reset(db: Db, [email = '', ...more]: string[]): Promise<void> {
  if (email === '' || more.length > 0) throw new CannotStart(usage)
  const done = await db.transaction().execute((tx) => resetFactorsOf({ tx, now: systemClock.now() }, email))
  if (!done) throw new CannotStart(`There is no staff member with the address ${email}.`)
  console.log(
    `${email} has no second factor any more, and is signed out. They add one after the next sign-in.`,
  )
}

async function list(db: Db, more: string[]): Promise<void> {
  if (more.length > 0) throw new CannotStart(usage)
  for (const one of await listStaff(db)) {
    const lacking = one.totp_required && !one.two_factor ? 'no rights before a second factor' : ''
    const about = [one.role, one.disabled_at === null ? lacking : 'disabled']
    console.log(`${one.email}  ${one.display_name}: ${about.filter(Boolean).join(', ')}`)
  }
}

function run(db: Db, command: string | undefined, args: string[]): Promise<void> {
  switch (command) {
    case 'add':
      return add(db, args)
    case 'list':
      return list(db, args)
    case 'reset':
      return reset(db, args)
    case 'disable':
      return disable(db, args)
    default:
      throw new CannotStart(usage)
  }
}

/** `npm run staff:add` and related commands. */
async function main([command, ...args]: string[]): Promise<void> {
  await withDatabase(readEnv(process.env), `staff:${command}`, (pool) => run(pool.kysely, command, args))
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  const expected = error instanceof CannotStart || error instanceof Problem
  console.error(expected ? error.message : error)
  process.exitCode = 1
}
