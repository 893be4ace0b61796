/** Unit of a figure: a count, whole rupiah, days, a number with decimals such as a mean, or a fraction. */
export const figureKinds = ['count', 'money', 'days', 'decimal', 'share'] as const
export type FigureKind = (typeof figureKinds)[number]

/**
 * `bars` and `stacked` draw the figures of each line, beside or on top of each other; `nested` draws each figure inside the
 * one before, of which it is a part; `total` draws those of the total;
 * `lines` and `columns` draw them over time, `funnel` those of the total one after the other; `heat` colours the cells of a
 * pivot.
 */
export const chartKinds = ['bars', 'stacked', 'nested', 'total', 'lines', 'funnel', 'columns', 'heat'] as const
export type ChartKind = (typeof chartKinds)[number]

/** Filters that a report's address can hold. */
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

/** Value of the filter `year` that counts every year. */
export const everyYear = 'all'

/** Writes the keys of a line for the address of the rows behind a figure. */
export const writeCell = (keys: Record<string, string | null>) =>
  Object.entries(keys)
    .map(([group, key]) => (key === null ? group : `${group}:${encodeURIComponent(key)}`))
    .join(';')

/** Parses the text of `writeCell`; a group without a colon has no key. Throws for a key that no column holds (NUL). */
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
