/** What a figure counts: things, whole rupiah, days, or a part of a whole as a fraction. */
export const figureKinds = ['count', 'money', 'days', 'share'] as const
export type FigureKind = (typeof figureKinds)[number]

/**
 * `bars` and `stacked` draw the figures of each line, side by side or one on the other; `total` draws the figures of the
 * total; `heat` colours the cells of a pivot.
 */
export const chartKinds = ['bars', 'stacked', 'total', 'heat'] as const
export type ChartKind = (typeof chartKinds)[number]

/** What the address of a report can narrow it to. */
export const filterNames = [
  'year',
  'waveId',
  'trackId',
  'facultyId',
  'programmeId',
  'classProgrammeId',
  'from',
  'to',
] as const
export type FilterName = (typeof filterNames)[number]

/** Keys of a line, as the address of the rows behind one of its figures says them. */
export const writeCell = (keys: Record<string, string | null>) =>
  Object.entries(keys)
    .map(([group, key]) => (key === null ? group : `${group}:${encodeURIComponent(key)}`))
    .join(';')

/** Reads what `writeCell` wrote; a group without a colon has no key. */
export const readCell = (cell: string): Record<string, string | null> =>
  Object.fromEntries(
    cell
      .split(';')
      .filter(Boolean)
      .map((part) => {
        const [group = '', key] = part.split(':')
        return [group, key === undefined ? null : decodeURIComponent(key)]
      }),
  )
