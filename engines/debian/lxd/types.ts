// The parts of LXD's API that are read here, by its own names.

export type Config = Readonly<Record<string, string>>

export type Project = { readonly name: string; readonly description: string; readonly config: Config }

export type Instance = {
  readonly name: string
  readonly project: string
  readonly status: string
  readonly created_at: string
  readonly last_used_at: string
  readonly config: Config
  readonly expanded_config: Config
  readonly expanded_devices: Readonly<Record<string, Readonly<Record<string, string>>>>
}

type Address = { readonly family: string; readonly address: string; readonly scope: string }

export type InstanceState = {
  readonly status: string
  readonly pid: number
  readonly cpu?: { readonly usage: number }
  readonly memory?: { readonly usage: number }
  readonly disk?: Readonly<Record<string, { readonly usage: number }>> | null
  readonly network?: Readonly<Record<string, { readonly addresses: readonly Address[] }>> | null
}

export type Network = {
  readonly name: string
  readonly managed: boolean
  readonly status: string
  readonly config: Config | null
}

export type ProjectState = {
  readonly resources: Readonly<Record<string, { readonly Limit: number; readonly Usage: number }>>
}

const inProject = (project: string) => `project=${encodeURIComponent(project)}`

export const projectPath = (project: string) => `/1.0/projects/${encodeURIComponent(project)}`
export const instancesPath = (project: string, more = '') => `/1.0/instances?${inProject(project)}${more}`
export const instancePath = (project: string, name: string, part = '') =>
  `/1.0/instances/${encodeURIComponent(name)}${part}?${inProject(project)}`
export const profilePath = (project: string) => `/1.0/profiles/default?${inProject(project)}`
export const networkPath = (name: string) => `/1.0/networks/${encodeURIComponent(name)}`
