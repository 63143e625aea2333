/** A place that something will take: it keeps the size of what comes, so that nothing jumps. */
export function Bone({ width = '100%', height = 14 }: { width?: number | string; height?: number }) {
  return <span className="bone" style={{ width, height }} />
}
