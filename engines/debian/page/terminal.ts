import { Terminal } from '@xterm/xterm'
import { t } from './words.ts'

const name = new URLSearchParams(location.search).get('server') ?? ''
const place = document.getElementById('terminal')
const said = document.getElementById('said')
document.title = `${name} – ${t('terminal')}`

/** As many letters as fit. */
function sizeOf(element: HTMLElement): { cols: number; rows: number } {
  return {
    cols: Math.max(20, Math.floor((element.clientWidth - 24) / 8.5)),
    rows: Math.max(5, Math.floor((element.clientHeight - 8) / 17)),
  }
}

if (place && said) {
  const terminal = new Terminal({ fontSize: 14, cursorBlink: true })
  terminal.open(place)
  terminal.focus()
  const socket = new WebSocket(
    `${location.origin.replace(/^http/, 'ws')}/terminal/${encodeURIComponent(name)}`,
  )
  socket.binaryType = 'arraybuffer'
  const fit = () => {
    const { cols, rows } = sizeOf(place)
    terminal.resize(cols, rows)
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ cols, rows }))
  }
  const encoder = new TextEncoder()
  terminal.onData((text: string) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(encoder.encode(text))
  })
  socket.addEventListener('open', fit)
  addEventListener('resize', fit)
  socket.addEventListener('message', ({ data }) => terminal.write(new Uint8Array(data)))
  socket.addEventListener('close', () => {
    said.textContent = t('closed')
  })
}
