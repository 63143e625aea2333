/** A placeholder as large as the content that will replace it, so that nothing jumps. */
export function Bone({ width = '100%', height = 14 }: { width?: number | string; height?: number }) {
  return <span className="bone" style={{ width, height }} />
}
