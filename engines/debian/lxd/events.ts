import WebSocket from 'ws'

/** Something that happened to an instance. */
export type Happened = { readonly project: string; readonly name: string; readonly isGone: boolean }

type Message = {
  readonly project?: string
  readonly metadata?: { readonly action?: string; readonly source?: string }
}

const told = /^instance-(started|stopped|shutdown|created|paused|resumed|restarted|deleted|updated)$/
const againMs = 1000

/** The subject of a message of LXD, if the portal is notified of such messages. */
export function happenedIn(text: string): Happened | undefined {
  // LXD documents this shape.
  const { project, metadata } = JSON.parse(text) as Message
  const action = told.exec(metadata?.action ?? '')?.[1]
  if (project === undefined || action === undefined) return undefined
  const name = decodeURIComponent(/^\/1\.0\/instances\/([^/?]+)/.exec(metadata?.source ?? '')?.[1] ?? '')
  return name === '' ? undefined : { project, name, isGone: action === 'deleted' }
}

/** Listens to LXD for as long as the engine runs. `after`: called when the connection was away, and now is there. */
export function listen(
  socketPath: string,
  tell: (happened: Happened) => void,
  after: () => void,
): () => void {
  let isEnded = false
  let socket: WebSocket | undefined
  let timer: NodeJS.Timeout | undefined
  const connect = (isFirst: boolean) => {
    socket = new WebSocket(`ws+unix://${socketPath}:/1.0/events?type=lifecycle&all-projects=true`)
    socket.on('open', () => {
      if (!isFirst) after()
    })
    socket.on('message', (data) => {
      const happened = happenedIn(String(data))
      if (happened) tell(happened)
    })
    // `close` follows each error.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      if (!isEnded) timer = setTimeout(() => connect(false), againMs)
    })
  }
  connect(true)
  return () => {
    isEnded = true
    clearTimeout(timer)
    socket?.terminate()
  }
}
