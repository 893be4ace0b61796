/** Unit of a figure: a count, whole rupiah, days, a number with decimals such as a mean, or a fraction. */
export const figureKinds = ['count', 'money', 'days', 'decimal', 'share'] as const
export type FigureKind = (typeof figureKinds)[number]

/**
 * `bars` and `stacked` draw the figures of each line, side by side or on top of each other; `nested` draws each figure
 * inside the one it is part of; `total` draws the total's figures; `lines` and `columns` draw figures over time;
 * `funnel` draws the total's figures one after another; `heat` colours the cells of a pivot.
 */
export const chartKinds = ['bars', 'stacked', 'nested', 'total', 'lines', 'funnel', 'columns', 'heat'] as const
export type ChartKind = (typeof chartKinds)[number]

/** Filters a report's address may contain. */
export const filterNames = [
  'year',
  'waveId',
  'trackId',
  'facultyId',
  'programmeId',
  'classProgrammeId',
  'provinceId',
  'cityId',
  'affiliateId',
  'from',
  'to',
] as const
export type FilterName = (typeof filterNames)[number]

/** Maximum number of groups per line. */
export const maxGroups = 3

/** Value of filter `year` that includes all years. */
export const everyYear = 'all'

/** Encodes the keys of a line for the address of the rows behind a figure. */
export const writeCell = (keys: Record<string, string | null>) =>
  Object.entries(keys)
    .map(([group, key]) => (key === null ? group : `${group}:${encodeURIComponent(key)}`))
    .join(';')

/** Parses the text of `writeCell`; a group without a colon has no key. Throws for a key no column holds (NUL). */
export const readCell = (cell: string): Record<string, string | null> =>
  Object.fromEntries(
    cell
      .split(';')
      .filter(Boolean)
      .map((part) => {
        const [group = '', key] = part.split(':')
        return [group, key === undefined ? null : decodeKey(key)]
      }),
  )

function decodeKey(encoded: string) {
  const key = decodeURIComponent(encoded)
  if (key.includes('\0')) throw new URIError('NUL in a key')
  return key
}
