import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { officialRates, readBnr, readEcb } from './exchange-rates.ts'

const bnrDay = (day: string, usd: string) =>
  `<Cube date="${day}"><Rate currency="EUR">5.0871</Rate><Rate currency="HUF" multiplier="100">1.3012</Rate><Rate currency="USD">${usd}</Rate></Cube>`
const bnrFile = (...days: string[]) => `<?xml version="1.0" encoding="utf-8"?>
<DataSet xmlns="https://www.bnr.ro/xsd"><Header><Publisher>National Bank of Romania</Publisher><PublishingDate>2026-11-20</PublishingDate>
<MessageType>DR</MessageType></Header><Body><Subject>Reference rates</Subject><OrigCurrency>RON</OrigCurrency>${days.join('\n')}</Body></DataSet>`
const ecbFile = `<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01"><Cube>
<Cube time="2026-11-20"><Cube currency="USD" rate="1.1574"/><Cube currency="RON" rate="5.0871"/><Cube currency="PLN" rate="4.2"/></Cube>
<Cube time='2026-11-19'><Cube currency='USD' rate='1.1600'/><Cube currency='RON' rate='5.0900'/></Cube></Cube></gesmes:Envelope>`

test('each day of the file of BNR is read, the oldest first, without rates for a hundred', () => {
  expect(readBnr(bnrFile(bnrDay('2026-11-20', '4.3960'), bnrDay('2026-11-19', '4.3952')))).toEqual(
    [
      ['2026-11-19', '4.3952'],
      ['2026-11-20', '4.396'],
    ].map(([publishedOn, rate]) => ({
      publishedOn,
      source: 'bnr',
      rates: [
        { base: 'EUR', quote: 'RON', rate: '5.0871' },
        { base: 'USD', quote: 'RON', rate },
      ],
    })),
  )
})

test('rates of the ECB are turned into euros, or crossed by the euro of the same day', () => {
  const [, { rates = [], ...day } = {}] = readEcb(ecbFile, 'EUR')
  expect(day).toEqual({ publishedOn: '2026-11-20', source: 'ecb' })
  expect(rates).toContainEqual({ base: 'USD', quote: 'EUR', rate: '0.864006' })
  expect(rates).toContainEqual({ base: 'RON', quote: 'EUR', rate: '0.196576' })
  expect(readEcb(ecbFile.replace(/<Cube time='.*<\/Cube>/, ''), 'PLN')[0]?.rates).toContainEqual({
    base: 'USD',
    quote: 'PLN',
    rate: '3.628823',
  })
  expect(() => readEcb(ecbFile, 'MDL')).toThrow('The European Central Bank publishes no rate for MDL.')
})

test.each([
  '',
  '<html>The National Bank of Romania</html>',
  '<Cube date="2026-13-41"><Rate currency="USD">4.3952</Rate></Cube>',
  '<Cube date="2026-11-19"></Cube>',
  '<Cube date="2026-11-19"><Rate currency="USD">0.0000</Rate><Rate currency="EUR">-5.0871</Rate><Rate currency="GBP">n/a</Rate></Cube>',
  '<!DOCTYPE x [<!ENTITY r "4.3952">]><Cube date="2026-11-19"><Rate currency="USD">&r;</Rate></Cube>',
  '<Rate currency="USD">4.3952</Rate>',
])('invalid rates are refused: %s', (text) => {
  expect(() => readBnr(text)).toThrow()
})

let answer = (response: ServerResponse): unknown => response.end()
const server = createServer((_, response) => void answer(response)).listen(0, '127.0.0.1')
await once(server, 'listening')
afterAll(() => server.close())
// A server that listens on a port has such an address.
const mirror = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const fetched = () => officialRates(mirror())('RON')

test('a file is fetched; a redirect, a failure, and more than such a file ever has are refused', async () => {
  const file = bnrFile(bnrDay('2026-11-19', '4.3952'))
  answer = (response) => response.end(file)
  expect(await fetched()).toMatchObject([{ publishedOn: '2026-11-19' }])
  answer = (response) => response.writeHead(302, { location: '/' }).end()
  await expect(fetched()).rejects.toThrow()
  answer = (response) => response.writeHead(503).end(file)
  await expect(fetched()).rejects.toThrow('answered 503')
  answer = (response) => response.end(file + ' '.repeat(1_000_000))
  await expect(fetched()).rejects.toThrow('is larger than 1000000 bytes')
})
