import { execFile } from 'node:child_process'
import { readdir, readFile, readlink, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Machine } from './host.ts'
import type { Settings } from './settings.ts'

const execute = promisify(execFile)
const commandMs = 10_000

/** The output of a command; undefined when it fails. */
async function outputOf(command: string, args: readonly string[]): Promise<string | undefined> {
  try {
    return (await execute(command, args, { timeout: commandMs })).stdout
  } catch {
    return undefined
  }
}

async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '')
}

/** The ids of the processes whose command line has all of these words. */
async function processesWith(words: readonly string[]): Promise<number[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    ids.map(async (id) => {
      const line = (await textOf(`/proc/${id}/cmdline`)).split('\0')
      return words.every((word) => line.includes(word)) ? [Number(id)] : []
    }),
  )
  return found.flat()
}

/** A pair of LXD that is left when a server's start was broken off: LXD's address, down, on no bridge. */
async function isLoose(link: string): Promise<boolean> {
  const at = `/sys/class/net/${link}`
  const [address, state] = await Promise.all([textOf(`${at}/address`), textOf(`${at}/operstate`)])
  const bridge = await readlink(`${at}/master`).catch(() => undefined)
  return address.startsWith('00:16:3e:') && state.trim() === 'down' && bridge === undefined
}

type Element = { readonly elem?: { readonly val: string; readonly counter?: { readonly bytes: number } } }
type Listed = { readonly nftables: readonly { readonly set?: { readonly elem?: readonly Element[] } }[] }

/** The machine that the engine runs on. */
export function machineOf({ lxdSocket, pool, table }: Settings): Machine {
  const lxdFolder = path.dirname(lxdSocket)
  let looseBefore: readonly string[] = []
  return {
    async removeLink(name) {
      await outputOf('ip', ['link', 'del', name])
    },
    async endStrayNameServers(bridge) {
      const known = /pid: (\d+)/.exec(await textOf(`${lxdFolder}/networks/${bridge}/dnsmasq.pid`))?.[1]
      for (const id of await processesWith([`--interface=${bridge}`]))
        if (String(id) !== known) process.kill(id)
    },
    async removeEmptyVolume(project, server) {
      // `rmdir` refuses a directory with anything in it, so no data can be lost here.
      await rmdir(`${lxdFolder}/storage-pools/${pool}/containers/${project}_${server}`).catch(() => undefined)
    },
    async looseLinks() {
      const links = (await readdir('/sys/class/net')).filter((name) => name.startsWith('veth'))
      const loose = await Promise.all(links.map(async (link) => ((await isLoose(link)) ? [link] : [])))
      // A server that is starting has such a pair for a moment, also one of another LXD on this host.
      const lasting = loose.flat().filter((link) => looseBefore.includes(link))
      looseBefore = loose.flat()
      return lasting
    },
    async cpuSeconds(project, server) {
      const group = `lxc.payload.${project}_${server}`
      const first = await textOf(`/sys/fs/cgroup/cpuacct/${group}/cpuacct.usage`)
      if (first !== '') return Number(first) / 1e9
      const second = /^usage_usec (\d+)$/m.exec(await textOf(`/sys/fs/cgroup/${group}/cpu.stat`))?.[1]
      return second === undefined ? undefined : Number(second) / 1e6
    },
    async leftBridges() {
      const text = await outputOf('nft', ['-j', 'list', 'set', 'inet', table, 'left'])
      if (text === undefined) return new Map()
      // nft documents this shape.
      const listed = JSON.parse(text) as Listed
      const elements = listed.nftables.flatMap(({ set }) => set?.elem ?? [])
      return new Map(elements.flatMap(({ elem }) => (elem ? [[elem.val, elem.counter?.bytes ?? 0]] : [])))
    },
  }
}
