/** A line as small as a word: the course of a number beside the number. Its text says first, last and highest. */
export function Sparkline({
  label,
  values,
  formatValue,
  width = 120,
  height = 28,
}: {
  readonly label: string
  readonly values: readonly number[]
  readonly formatValue: (value: number) => string
  readonly width?: number
  readonly height?: number
}) {
  const max = Math.max(...values, 0)
  const x = (index: number): number => (values.length < 2 ? 0 : 1 + (index / (values.length - 1)) * (width - 2))
  const y = (value: number): number => (max === 0 ? height - 2 : height - 2 - (value / max) * (height - 4))
  const points = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
  const text =
    values.length === 0
      ? `${label}: no values`
      : `${label}: from ${formatValue(values[0] ?? 0)} to ${formatValue(values.at(-1) ?? 0)}, highest ${formatValue(max)}`
  return (
    <svg
      role="img"
      aria-label={text}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className="max-w-full"
    >
      <title>{text}</title>
      <polyline points={points} fill="none" stroke="var(--series-1)" strokeWidth={1.5} strokeLinejoin="round" />
    </svg>
  )
}
