import type { OfficeEnvironment, TaxOffice } from '#money/tax-office/tax-office.ts'
import type { Clock } from '#platform/clock.ts'
import { readDownload, readMessages, readState, readTokens, readUpload } from './answers.ts'
import { callOffice } from './call.ts'

export type AnafSettings = {
  readonly environment: OfficeEnvironment
  readonly clientId: string
  readonly clientSecret: string
  /** The page of the desk to which a person comes back. */
  readonly returnUrl: string
  /** Another server with these calls, as the server and as a browser reach it; undefined: the office. */
  readonly base?: { readonly server: string; readonly browser: string } | undefined
  readonly clock: Clock
  /** The longest time in milliseconds until the answer of an upload. */
  readonly patienceMs?: number
}

// A job has half a minute, and makes one call of these at its end.
const small = { ms: 10_000, mostBytes: 65_536 }
const file = { ms: 15_000, mostBytes: 12_582_912 }
const list = { ms: 15_000, mostBytes: 4_194_304 }

const oauth = '/anaf-oauth2/v1'

type Base = Exclude<AnafSettings['base'], undefined>

const ofAnaf: { readonly login: Base; readonly services: string } = {
  login: { server: 'https://logincert.anaf.ro', browser: 'https://logincert.anaf.ro' },
  services: 'https://api.anaf.ro',
}

/** The authorisation by a person with a certificate, and the tokens that follow from it. */
function authorisation({ clientId, clientSecret, returnUrl, base, clock }: AnafSettings) {
  const { server, browser } = base ?? ofAnaf.login
  const tokensFor = async (grant: Readonly<Record<string, string>>) => {
    const secret = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    const body = new URLSearchParams({ ...grant, token_content_type: 'jwt' })
    const headers = { authorization: `Basic ${secret}` }
    const bytes = await callOffice(`${server}${oauth}/token`, { method: 'POST', headers, body }, small)
    return readTokens(bytes, clock.now())
  }
  return {
    authoriseUrl: (state: string) =>
      `${browser}${oauth}/authorize?${new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: returnUrl,
        token_content_type: 'jwt',
        state,
      })}`,
    exchange: (code: string) =>
      tokensFor({ grant_type: 'authorization_code', code, redirect_uri: returnUrl }),
    refresh: (refresh: string) => tokensFor({ grant_type: 'refresh_token', refresh_token: refresh }),
  }
}

/** The calls of the Romanian tax office for e-Factura, as it has published them. */
export function anafOffice(settings: AnafSettings): TaxOffice {
  const { environment, base, patienceMs: ms = file.ms } = settings
  const rest = (call: string, query: Readonly<Record<string, string>>, where = environment) =>
    `${base?.server ?? ofAnaf.services}/${where}/FCTEL/rest/${call}?${new URLSearchParams(query)}`
  const bearer = (access: string) => ({ authorization: `Bearer ${access}` })
  const get = (access: string, url: string, limits = small) =>
    callOffice(url, { headers: bearer(access) }, limits)
  return {
    environment,
    ...authorisation(settings),
    upload: async (access, cif, { xml, isCreditNote, isConsumer, isAbroad }, { isTrial = false } = {}) => {
      const query = { standard: isCreditNote ? 'CN' : 'UBL', cif, ...(isAbroad && { extern: 'DA' }) }
      const url = rest(isConsumer ? 'uploadb2c' : 'upload', query, isTrial ? 'test' : environment)
      const headers = { ...bearer(access), 'content-type': 'application/xml' }
      const request = { method: 'POST', headers, body: new Uint8Array(xml) }
      return readUpload(await callOffice(url, request, { ...file, ms }))
    },
    state: async (access, uploadIndex) =>
      readState(await get(access, rest('stareMesaj', { id_incarcare: uploadIndex }))),
    download: async (access, downloadId) =>
      readDownload(await get(access, rest('descarcare', { id: downloadId }), file)),
    messages: async (access, cif, { from, until, page }) => {
      const [startTime, endTime] = [String(from.getTime()), String(until.getTime())]
      const query = { startTime, endTime, cif, pagina: String(page) }
      return readMessages(await get(access, rest('listaMesajePaginatieFactura', query), list))
    },
  }
}
