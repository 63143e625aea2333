import { expect, test } from 'vitest'
import { parseDatabaseUrl } from './database-url.ts'

test('several hosts are one address each, and only the primary of them is meant', () => {
  expect(
    parseDatabaseUrl(
      'postgres://me:p%40w@db1:5432,[::1]:5433,db3/portico?sslmode=verify-full&target_session_attrs=read-write',
    ),
  ).toEqual({
    database: 'portico',
    urls: [
      'postgres://me:p%40w@db1:5432/portico?sslmode=verify-full',
      'postgres://me:p%40w@[::1]:5433/portico?sslmode=verify-full',
      'postgres://me:p%40w@db3/portico?sslmode=verify-full',
    ],
    primaryOnly: true,
  })
})

test('hosts may be folders of sockets', () => {
  expect(parseDatabaseUrl('postgres://me@%2Fvar%2Frun%2Fa,%2Fvar%2Frun%2Fb:5433/portico')?.urls).toEqual([
    'postgres://me@%2Fvar%2Frun%2Fa/portico',
    'postgres://me@%2Fvar%2Frun%2Fb:5433/portico',
  ])
})

test.each([
  ['postgres://me:pw@db/portico', false],
  ['postgresql://db/por%20tico?sslmode=disable', false],
  ['postgres:///portico?host=%2Fvar%2Frun', false],
  ['postgres://me:p@w@db/portico', false],
  ['postgres://db/portico?target_session_attrs=read-write', true],
  ['postgres://db/portico?target_session_attrs=primary', true],
])('%s is one server', (text, primaryOnly) => {
  const database = text.includes('por%20tico') ? 'por tico' : 'portico'
  const url = primaryOnly ? text.replace(/\?.*/, '') : text
  expect(parseDatabaseUrl(text)).toEqual({ database, urls: [url], primaryOnly })
})

test.each([
  ['sslmode=require', 'sslmode=verify-full'],
  ['sslrootcert=%2Fca.crt&sslmode=verify-ca', 'sslrootcert=%2Fca.crt&sslmode=verify-full'],
  ['sslmode=prefer&application_name=a', 'sslmode=verify-full&application_name=a'],
  ['sslmode=disable', 'sslmode=disable'],
  ['sslmode=no-verify', 'sslmode=no-verify'],
  ['uselibpqcompat=true&sslmode=require', 'uselibpqcompat=true&sslmode=require'],
])('%s connects with %s', (asked, used) => {
  expect(parseDatabaseUrl(`postgres://db/portico?${asked}`)?.urls).toEqual([`postgres://db/portico?${used}`])
})

test.each([
  '',
  'portico',
  'mysql://db/portico',
  'postgres://db',
  'postgres://db/',
  'postgres://db:port/portico',
  'postgres://db1,/portico',
  'postgres://db1,db2:x/portico',
  'postgres://me@/portico',
  'postgres://me:100%@db/portico',
  'postgres://db/portico?host=db1,db2',
  'postgres://db1,db2/portico?host=db3',
  'postgres://db1,db2/portico?target_session_attrs=any',
  'postgres://db/portico?target_session_attrs=standby',
])('%s is refused', (text) => {
  expect(parseDatabaseUrl(text)).toBeUndefined()
})
