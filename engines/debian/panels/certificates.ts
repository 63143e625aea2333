import type { Host } from '../host.ts'
import { isMissing } from '../lxd/client.ts'
import { allPanels } from './truth.ts'

// An operator may let the tools of a panel's people speak to LXD itself, by a certificate that LXD restricts to the project
// (docs/decisions/0218). The engine gives none, and ends them with the access.

type Certificate = {
  readonly fingerprint: string
  readonly name: string
  readonly type: string
  readonly restricted: boolean
  readonly projects: readonly string[] | null
  readonly certificate: string
}

/** Ends the certificates that reach these panels; one that reaches others too goes on reaching them. Says which. */
async function endFor({ lxd }: Host, ids: ReadonlySet<string>): Promise<string[]> {
  const all = await lxd.get<Certificate[]>('/1.0/certificates?recursion=1')
  const ended: string[] = []
  for (const { fingerprint, projects, ...certificate } of all) {
    const left = (projects ?? []).filter((project) => !ids.has(project))
    if (!certificate.restricted || left.length === (projects ?? []).length) continue
    const path = `/1.0/certificates/${fingerprint}`
    const { name, type, restricted, certificate: text } = certificate
    if (left.length === 0) await lxd.remove(path)
    else
      await lxd
        .send('PUT', path, { name, type, restricted, projects: left, certificate: text })
        .catch((error: unknown) => {
          if (!isMissing(error)) throw error
        })
    ended.push(
      `the certificate ${name} of ${(projects ?? []).filter((one) => ids.has(one)).join(', ')} was ended`,
    )
  }
  return ended
}

/** Ends the certificates that reach a panel. */
export const endCertificates = (host: Host, id: string): Promise<string[]> => endFor(host, new Set([id]))

/** Ends what a suspension or deletion that was broken off has left. */
export async function mendCertificates(host: Host): Promise<string[]> {
  const shut = (await allPanels(host)).filter(({ state }) => state === 'suspended' || state === 'deleting')
  return shut.length === 0 ? [] : endFor(host, new Set(shut.map(({ id }) => id)))
}
