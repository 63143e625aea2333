const steps = [
  ['megabyte', 1_048_576],
  ['kilobyte', 1_024],
] as const

/** The size of a file in its shortest unit: "312 kB". */
export function size(bytes: number): string {
  const [unit, step] = steps.find(([, least]) => bytes >= least) ?? steps[1]
  const format = {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: unit === 'megabyte' ? 1 : 0,
  } as const
  return new Intl.NumberFormat('en-US', format).format(Math.max(1, bytes / step))
}
