import fs from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { deflateSync } from 'node:zlib'
import { base } from '@portico/contract/wire.ts'
import { parse } from 'content-disposition'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { clamd, type FileScanner, noScanner } from '#platform/files/file-scanner.ts'
import { localStorage } from '#platform/files/file-storage.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { Browser, person } from '#test/support/people.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { cleanName, collectFiles } from './files.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const { folder, remove } = temporaryFolder()
afterAll(remove)
const storage = await localStorage(folder)
let scan: FileScanner = noScanner
const { app } = await testApp(pool, {
  env: { rateLimitScale: 1000 },
  files: { storage, scanner: (file) => scan(file) },
})
await app.listen({ host: '127.0.0.1', port: 0 })
// A server that listens on TCP has such an address.
const { port } = app.server.address() as AddressInfo

async function someone(email: string): Promise<Browser> {
  const browser = new Browser(app)
  await person(pool, email)
  await browser.signIn(email)
  return browser
}
const ana = await someone('ana@example.com')
const mihai = await someone('mihai@example.com')

const upload = (
  who: Browser,
  filename: string,
  payload: Buffer | string,
  type = 'application/octet-stream',
) =>
  who.ask({
    method: 'POST',
    url: `${base}/ticket-files/-actions/upload?filename=${encodeURIComponent(filename)}`,
    headers: { authorization: `Bearer ${who.cookies.get('token')}`, 'content-type': type },
    payload,
  })
const download = (who: Browser, id: string) => who.get(`${base}/ticket-files/${id}/-actions/download`)

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, body, sum])
}
const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a', 'hex'),
  chunk('IHDR', Buffer.from('00000001000000010802000000', 'hex')),
  chunk('IDAT', deflateSync(Buffer.alloc(4))),
  chunk('IEND', Buffer.alloc(0)),
])
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const jpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA//9k=',
  'base64',
)
const pdf = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')
const zip = Buffer.from('504b0506000000000000000000000000000000000000', 'hex')
const stored = Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(26), zip])
const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')

/** The number of stored files, in any state. */
const kept = () =>
  fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()).length

test('a file goes up, is seen by its uploader alone, and comes down harmless', async () => {
  const up = await upload(ana, 'Raport „lună”; a=b.png', png, 'text/html')
  expect([up.statusCode, up.headers['content-type']]).toEqual([201, 'application/vnd.api+json'])
  const { id, attributes } = up.json().data
  expect(attributes).toMatchObject({
    mime: 'image/png',
    size: png.length,
    scan_status: 'skipped',
    ticket_id: null,
  })
  const down = await download(ana, id)
  expect(down.statusCode).toBe(200)
  expect(down.rawPayload.equals(png)).toBe(true)
  expect(down.headers).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    'cache-control': 'private, no-store',
  })
  expect(down.headers['content-disposition']).toMatch(
    /^attachment; filename="[^"]*"; filename\*=UTF-8''Raport%20/,
  )
  const [foreign, absent] = [await download(mihai, id), await download(mihai, '999999')]
  expect([foreign.statusCode, foreign.body.replace(/"id":"[^"]*"/, '')]).toEqual([
    404,
    absent.body.replace(/"id":"[^"]*"/, ''),
  ])
  expect((await mihai.send('DELETE', `${base}/ticket-files/${id}`)).statusCode).toBe(404)
  expect((await app.inject({ url: `${base}/ticket-files/${id}/-actions/download` })).statusCode).toBe(401)
})

test.each([
  ['photo.jpg', jpeg],
  ['anim.gif', gif],
  ['paper.pdf', pdf],
  ['logs.zip', stored],
  ['app.log', 'GET / 200\n'],
  ['data.csv', 'a;b\n1;ș\n'],
  ['data.json', '{"a":1}'],
])('%s is taken', async (name, bytes) => {
  expect((await upload(ana, name, Buffer.from(bytes))).statusCode).toBe(201)
})

describe('hostile contents are refused, and nothing of them is kept', () => {
  const refusedAs = (code: string) => async (name: string, bytes: string | Buffer) => {
    const before = kept()
    const answer = await upload(ana, name, bytes)
    expect([answer.statusCode, answer.json().errors[0].code]).toEqual([415, code])
    expect(kept()).toBe(before)
  }

  test.each<[string, string | Buffer]>([
    ['page.html', '<html>'],
    ['picture.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['macro.docm', 'PK'],
    ['script.php', '<?php system($_GET[0]);'],
    ['noextension', 'x'],
    ['.png', png],
    ['double.png.exe', png],
  ])('%s', refusedAs('upload_kind_unknown'))

  test.each<[string, string | Buffer]>([
    ['page.txt', ' <!DOCTYPE html><script>alert(1)</script>'],
    ['data.json', '<?xml version="1.0"?>'],
    ['program.png', Buffer.from('MZ\x90\x00')],
    ['program.txt', Buffer.from('7f454c460201010000000000', 'hex')],
    ['other.jpg', png],
    ['text.png', 'just text'],
    ['broken.png', png.subarray(0, 40)],
    ['latin.txt', Buffer.from([0x6c, 0xe3, 0x6e])],
    ['nul.csv', 'a\0b'],
    ['sheet.zip', Buffer.from('not a zip')],
    // Two files in the same bytes.
    ['and-zip.png', Buffer.concat([png, stored])],
    ['and-script.gif', 'GIF89a/*\0\0\0\0*/=1;alert(1);'],
    ['and-zip.jpg', Buffer.concat([jpeg, stored])],
    ['and-page.jpg', Buffer.concat([jpeg, Buffer.from('<script>alert(1)</script>')])],
    ['and-zip.pdf', Buffer.concat([pdf, stored])],
    ['behind.pdf', Buffer.concat([Buffer.from('<script>1</script>'), pdf])],
  ])('%s', refusedAs('upload_content_differs'))

  test('an empty one, and one that is too large, whether it says so or not', async () => {
    expect((await upload(ana, 'empty.txt', '')).statusCode).toBe(422)
    expect((await upload(ana, 'large.txt', Buffer.alloc(10 * 1_048_576 + 1, 'a'))).statusCode).toBe(413)
    expect((await upload(ana, 'large.txt', Buffer.alloc(10 * 1_048_576, 'a'))).statusCode).toBe(201)
  })

  test.each([
    ['says its length', 'large.txt', '413 upload_too_large', []],
    ['has no length', 'large.txt', '413 upload_too_large', ['transfer-encoding: chunked']],
    ['is a program', 'large.exe', '415 upload_kind_unknown', []],
  ])(
    'one of 15 MB that %s is answered to a client that reads nothing before it has sent all',
    async (...given) => {
      const [, filename, expected, chunked] = given
      const body = Buffer.alloc(15_000_000, 'a')
      const socket = net.connect(port, '127.0.0.1').pause()
      const head = [
        `POST ${base}/ticket-files/-actions/upload?filename=${filename} HTTP/1.1`,
        'host: localhost',
        `authorization: Bearer ${ana.cookies.get('token')}`,
        ...(chunked.length > 0 ? chunked : [`content-length: ${body.length}`]),
        '\r\n',
      ].join('\r\n')
      const size = chunked.length > 0 ? `${body.length.toString(16)}\r\n` : ''
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject)
        socket.write(Buffer.concat([Buffer.from(head + size), body]), (error) =>
          error ? reject(error) : resolve(),
        )
      })
      const heard = await text(socket)
      const [, status, code] = /^HTTP\/1\.1 (\d+) .*"code":"(\w+)"/s.exec(heard) ?? []
      expect(`${status} ${code}`).toBe(expected)
    },
  )

  test('a body that never ends is let go at the limit, and memory does not grow with it', async () => {
    const before = process.memoryUsage().rss
    const files = kept()
    const piece = Buffer.alloc(65_536, 'a')
    const head = `${piece.length.toString(16)}\r\n`
    const { sent, heard } = await new Promise<{ sent: number; heard: string }>((resolve) => {
      const socket = net.connect(port, '127.0.0.1')
      let [sent, heard] = [0, '']
      socket.on('data', (data) => {
        heard += String(data)
      })
      socket.on('error', () => undefined)
      socket.on('close', () => resolve({ sent, heard }))
      socket.write(
        [
          `POST ${base}/ticket-files/-actions/upload?filename=endless.txt HTTP/1.1`,
          'host: localhost',
          `authorization: Bearer ${ana.cookies.get('token')}`,
          'transfer-encoding: chunked',
          '\r\n',
        ].join('\r\n'),
      )
      const pour = () => {
        while (!socket.destroyed && sent < 1024 * 1_048_576) {
          sent += piece.length
          if (!socket.write(Buffer.concat([Buffer.from(head), piece, Buffer.from('\r\n')])))
            return void socket.once('drain', pour)
        }
        socket.destroy()
      }
      pour()
    })
    expect(heard).toMatch(/^HTTP\/1\.1 413 /)
    expect(sent).toBeLessThan(64 * 1_048_576)
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1_048_576)
    expect(kept()).toBe(files)
  })
})

test('a downloaded picture has no location data', async () => {
  const location = chunk('tEXt', Buffer.from('GPS 44.4268 N 26.1025 E'))
  const { id, attributes } = (
    await upload(ana, 'place.png', Buffer.concat([png.subarray(0, 33), location, png.subarray(33)]))
  ).json().data
  const down = await download(ana, id)
  expect([down.rawPayload.equals(png), attributes.size]).toEqual([true, png.length])
})

describe('names', () => {
  test.each([
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['..\\..\\boot.txt', 'boot.txt'],
    ['/etc/cron.d/x.txt', 'x.txt'],
    ['C:\\Windows\\x.txt', 'x.txt'],
    ['a\r\nSet-Cookie: b=c.txt', 'aSet-Cookie: b=c.txt'],
    ['a\0.png.txt', 'a.png.txt'],
    ['gpj.\u202Etxt.txt', 'gpj.txt.txt'],
    ['  spaces .txt ', 'spaces .txt'],
    ['"quoted".txt', '"quoted".txt'],
    ['\u200B.txt', '.txt'],
    [`${'x'.repeat(300)}.txt`, `${'x'.repeat(196)}.txt`],
    ['%2e%2e%2fetc.txt', '%2e%2e%2fetc.txt'],
    ['....//....//etc.txt', 'etc.txt'],
    ['..%5c..%5cboot.txt', '..%5c..%5cboot.txt'],
    ['\\\\host\\share\\x.txt', 'x.txt'],
    ['file:///etc/passwd.txt', 'passwd.txt'],
    ['http://evil.test/x.txt', 'x.txt'],
    ['x.txt/', ''],
    ['..', '..'],
    ['.', '.'],
    ['', ''],
    ['   ', ''],
    ['\n.txt', '.txt'],
    ['a\tb.txt', 'ab.txt'],
    ['a\u0085b.txt', 'ab.txt'],
    ['a\u2028b.txt', 'ab.txt'],
    ['a\u2066b\u2069.txt', 'ab.txt'],
    ['\uFEFFbom.txt', 'bom.txt'],
    ['$(touch x).txt', '$(touch x).txt'],
    ['`id`.txt', '`id`.txt'],
    ['; rm -rf x.txt', '; rm -rf x.txt'],
    ['<img src=x onerror=alert(1)>.txt', '<img src=x onerror=alert(1)>.txt'],
    ["'; drop table tickets; --.txt", "'; drop table tickets; --.txt"],
    ['CON.txt', 'CON.txt'],
    ['x.txt:stream.txt', 'x.txt:stream.txt'],
    ['-rf.txt', '-rf.txt'],
    ['\ud800.txt', '\ufffd.txt'],
  ])('%j is %j', (sent, expected) => {
    expect(cleanName(sent)).toBe(expected)
  })

  test.each([
    ['a%2fb.txt', 'a_2fb.txt'],
    ['a%00.txt', 'a_00.txt'],
    ['%2E%2E%5Cș%0d%0ax.txt', '_2E_2E_5C\u0219_0d_0ax.txt'],
    ['%%32%66.txt', '%_32_66.txt'],
    ['50% off.txt', '50% off.txt'],
  ])('%j is handed out without escapes, as %j', async (sent, expected) => {
    const { id } = (await upload(ana, sent, 'text')).json().data
    const header = String((await download(ana, id)).headers['content-disposition'])
    const [, plain = ''] = /filename="?([^"*;]*)"?/.exec(header) ?? []
    expect(plain).not.toMatch(/%[\da-f]{2}/i)
    expect(parse(header).parameters.filename).toBe(expected)
  })

  test('are never paths, and break no header', async () => {
    for (const name of ['../../x.txt', 'a"; filename=evil.html; x=".txt', 'a\r\nx: y.txt', 'șț—😀.txt']) {
      const { id } = (await upload(ana, name, 'text')).json().data
      const down = await download(ana, id)
      expect([name, down.statusCode, Object.keys(down.headers).includes('x')]).toEqual([name, 200, false])
      expect(down.headers['content-disposition']).toMatch(/^attachment; filename=[^\r\n]+$/)
    }
    const places = fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
    for (const { name } of places) expect(name).toMatch(/^[0-9a-f-]{36}$/)
    expect(fs.existsSync(path.join(folder, '..', 'x.txt'))).toBe(false)
  })
})

test('files without a message are deleted after a day, removed ones at once, and their bytes a week later', async () => {
  const { id } = (await upload(mihai, 'late.txt', 'late')).json().data
  const gone = (await upload(mihai, 'gone.txt', 'gone')).json().data
  expect((await mihai.send('DELETE', `${base}/ticket-files/${gone.id}`)).statusCode).toBe(204)
  const day = 86_400_000
  await collectFiles(db, new Date(Date.now() + day - 60_000))
  expect((await download(mihai, id)).statusCode).toBe(200)
  await collectFiles(db, new Date(Date.now() + day + 1000))
  expect((await download(mihai, id)).statusCode).toBe(404)
  const { rows } = await sql<{ jobs: number }>`select count(*)::int as jobs from graphile_worker.jobs
    where task_identifier = 'file.remove' and run_at > now() + interval '167 hours'`.execute(db)
  expect(rows[0]?.jobs).toBeGreaterThanOrEqual(2)
})

test('an account has room for 500 MB', async () => {
  const irina = await someone('irina@example.com')
  await upload(irina, 'first.txt', 'x')
  await sql`update ticket_files set size = 500 * 1048576 where filename = 'first.txt'`.execute(db)
  expect((await upload(irina, 'second.txt', 'x')).statusCode).toBe(422)
})

test('a message has at most 5 files and 25 MB of them, the one that opens a ticket and any other', async () => {
  const { id: first } = (await upload(mihai, 'part.txt', 'x')).json().data
  /** More such files, as if so many bytes had been uploaded. */
  const filesOf = async (...sizes: number[]) => {
    const { rows } = await sql<{
      id: number
    }>`insert into ticket_files (client_id, uploaded_by_client_id, filename, mime,
        size, sha256, storage_key, scan_status)
      select client_id, uploaded_by_client_id, filename, mime, s.size, sha256, gen_random_uuid()::text, scan_status
      from ticket_files, unnest(${sizes}::int8[]) s (size) where ticket_files.id = ${first} returning id`.execute(
      db,
    )
    return rows.map(({ id }) => ({ type: 'ticket-files', id: String(id) }))
  }
  const post = async (type: string, attributes: object, relationships: object) => {
    const answer = await mihai.ask({
      method: 'POST',
      url: `${base}/${type}`,
      headers: {
        authorization: `Bearer ${mihai.cookies.get('token')}`,
        'content-type': 'application/vnd.api+json',
      },
      payload: JSON.stringify({ data: { type, attributes, relationships } }),
    })
    const { data, errors } = answer.json()
    return { id: data?.id, said: errors?.[0].detail ?? answer.statusCode }
  }
  const { id: department } = await db
    .selectFrom('ticket_departments')
    .select('id')
    .where('code', '=', 'technical')
    .executeTakeFirstOrThrow()
  const ticketDepartment = { data: { type: 'ticket-departments', id: String(department) } }
  const open = (data: object[]) =>
    post('tickets', { subject: 'Slow', description: 'See' }, { ticketDepartment, ticketFile: { data } })
  const many = await filesOf(1, 1, 1, 1, 1, 1)
  const megabyte = 1_048_576
  const large = await filesOf(10 * megabyte, 10 * megabyte, 5 * megabyte + 1)
  const most = await filesOf(10 * megabyte, 10 * megabyte, 3 * megabyte, megabyte, megabyte)
  const tooMany = 'At most 5 files can be attached to a message.'
  const tooLarge = 'The files of one message can be at most 25 MB in total.'
  expect([(await open(many)).said, (await open(large)).said]).toEqual([tooMany, tooLarge])
  const opened = await open(most)
  expect(opened.said).toBe(201)
  const ticket = { data: { type: 'tickets', id: opened.id } }
  const say = async (data: object[]) =>
    (await post('ticket-messages', { body: 'And this' }, { ticket, ticketFiles: { data } })).said
  expect([await say(many), await say(large)]).toEqual([tooMany, tooLarge])
  expect([await say(many.slice(1)), await say(large.slice(1))]).toEqual([201, 201])
})

describe('a scanner', () => {
  /** Speaks as clamd does: hears INSTREAM to its end and says what it found. */
  async function fakeClamd(): Promise<{ port: number; close: () => void }> {
    const server = net.createServer((socket) => {
      let heard = Buffer.alloc(0)
      socket.on('data', (data) => {
        heard = Buffer.concat([heard, data])
        if (!heard.subarray(-4).equals(Buffer.alloc(4))) return
        socket.end(heard.includes('EICAR') ? 'stream: Eicar-Signature FOUND\0' : 'stream: OK\0')
      })
      socket.on('error', () => undefined)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    // A server that listens on TCP has such an address.
    return { port: (server.address() as AddressInfo).port, close: () => server.close() }
  }

  test('keeps what is clean, refuses what is not, and while it is away nothing is taken', async () => {
    const { port: at, close } = await fakeClamd()
    scan = clamd({ host: '127.0.0.1', port: at })
    const clean = await upload(ana, 'clean.txt', 'fine')
    expect(clean.json().data.attributes.scan_status).toBe('clean')
    const before = kept()
    const infected = await upload(ana, 'bad.txt', eicar)
    expect([infected.statusCode, infected.json().errors[0].detail]).toEqual([
      422,
      'This file contains malware and was not kept.',
    ])
    close()
    const away = await upload(ana, 'clean.txt', 'fine')
    expect([away.statusCode, kept()]).toEqual([503, before])
    scan = noScanner
  })

  test('a file that is found to be infected later is not served', async () => {
    const { id } = (await upload(ana, 'turned.txt', 'x')).json().data
    await sql`update ticket_files set scan_status = 'infected' where id = ${id}`.execute(db)
    expect((await download(ana, id)).statusCode).toBe(403)
  })
})
