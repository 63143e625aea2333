import { spawn, spawnSync } from 'node:child_process'

// A machine beyond the host, played by a network namespace: it answers on a public address, and on private ones that no
// server may reach.

const [name, near, far] = ['portico-outside', 'pout0', 'pout1']

/** Documentation addresses (RFC 5737) stand for the world. */
export const world = '203.0.113.2'
export const privateAddresses = ['10.99.0.2', '172.16.99.2', '192.168.77.2', '100.64.9.2', '169.254.169.254']

const ip = (...args: string[]) => spawnSync('ip', args, { timeout: 10_000 }).status === 0

/** Makes it, answering at port 80; returns how to remove it. Undefined where there are no namespaces. */
export function openOutside(): (() => void) | undefined {
  ip('netns', 'del', name)
  if (!ip('netns', 'add', name)) return undefined
  const inside = (...args: string[]) => ip('-n', name, ...args)
  ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', name)
  ip('addr', 'add', '203.0.113.1/24', 'dev', near)
  ip('link', 'set', near, 'up')
  inside('link', 'set', 'lo', 'up')
  inside('link', 'set', far, 'up')
  inside('addr', 'add', `${world}/24`, 'dev', far)
  inside('route', 'add', 'default', 'via', '203.0.113.1')
  for (const address of privateAddresses) {
    inside('addr', 'add', `${address}/32`, 'dev', far)
    ip('route', 'add', `${address}/32`, 'via', world)
  }
  const server = spawn('ip', ['netns', 'exec', name, 'busybox', 'httpd', '-f', '-p', '80', '-h', '/tmp'], {
    stdio: 'ignore',
  })
  return () => {
    server.kill('SIGKILL')
    ip('link', 'del', near)
    ip('netns', 'del', name)
  }
}
