import classes from './home.module.css'

const width = 96
const height = 24

/** A line of values without axes; the figure next to it says what they are. */
export function Spark({ values }: { values: readonly number[] }) {
  const most = Math.max(...values)
  if (values.length < 2 || most <= 0) return null
  // A steady line is drawn through the middle, where it stands level with its figure.
  const top = Math.max(most, (2 * values.reduce((total, value) => total + value, 0)) / values.length)
  const points = values.map((value, at) => {
    const x = (at * width) / (values.length - 1)
    return `${x.toFixed(1)},${(1 + (height - 2) * (1 - value / top)).toFixed(1)}`
  })
  return (
    <svg
      className={classes.spark}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline points={points.join(' ')} />
    </svg>
  )
}
