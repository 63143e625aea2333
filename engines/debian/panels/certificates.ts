import type { Host } from '../host.ts'
import { isMissing } from '../lxd/client.ts'
import type { Panel } from './truth.ts'

// An operator may let the tools of a panel's people speak to LXD itself, by a certificate that LXD restricts to the project
// (docs/decisions/0218). The engine gives none, and ends them with the access.

type Certificate = {
  readonly fingerprint: string
  readonly name: string
  readonly restricted: boolean
  readonly projects: readonly string[] | null
}

/** Ends the certificates that reach these panels; one that reaches others too goes on reaching them. Says which. */
function endFor({ lxd, locks }: Host, ids: ReadonlySet<string>): Promise<string[]> {
  // LXD looks at the version and writes a moment later: of two changes at once one would give back what the other took.
  return locks.aloneOnHost('certificates', async () => {
    const all = await lxd.get<Certificate[]>('/1.0/certificates?recursion=1')
    const ended: string[] = []
    for (const { fingerprint, name, restricted, projects } of all) {
      const reached = (projects ?? []).filter((project) => ids.has(project))
      if (!restricted || reached.length === 0) continue
      const path = `/1.0/certificates/${fingerprint}`
      if (reached.length === projects?.length) await lxd.remove(path)
      else await withdraw(lxd, path, ids)
      ended.push(`the certificate ${name} of ${reached.join(', ')} was ended`)
    }
    return ended
  })
}

/** Takes panels from a certificate, or finds it gone. */
async function withdraw(lxd: Host['lxd'], path: string, ids: ReadonlySet<string>): Promise<void> {
  try {
    await lxd.change<Certificate>(path, ({ projects }) => ({
      projects: (projects ?? []).filter((project) => !ids.has(project)),
    }))
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

/** Ends the certificates that reach a panel. */
export const endCertificates = (host: Host, id: string): Promise<string[]> => endFor(host, new Set([id]))

/** Ends what a suspension or deletion of these panels that was broken off has left. */
export async function mendCertificates(host: Host, panels: readonly Panel[]): Promise<string[]> {
  const shut = panels.filter(({ state }) => state === 'suspended' || state === 'deleting')
  return shut.length === 0 ? [] : endFor(host, new Set(shut.map(({ id }) => id)))
}
