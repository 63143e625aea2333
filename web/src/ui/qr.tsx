import { encode } from 'uqr'

/** A text as a QR code: dark on white with its quiet zone in every theme, as cameras need it. */
export function Qr({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 4, ecc: 'M' })
  const cells = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={200}
      height={200}
      shapeRendering="crispEdges"
      style={{ borderRadius: 8, border: '1px solid var(--line)' }}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={cells.join('')} fill="#000" />
    </svg>
  )
}
