/*
 * How many will enrol. On a day of a season some have submitted and some of these are enrolled; the others are open. The
 * rate is how many enrolled later per open registration of the same day in earlier seasons, so it includes those who
 * registered later. It may exceed 1, therefore counts are Poisson and rates gamma: the predictive distribution is
 * negative binomial.
 */

/** A programme on this day of an earlier season, and how many enrolled in the end. */
export type EarlierSeason = { year: string; submitted: number; enrolled: number; enrolledFinally: number }

export type ForecastCell = { key: string; submitted: number; enrolled: number; earlier: readonly EarlierSeason[] }

/** Students at the end of the season. One season in ten ends below `low`, one above `high`. */
export type Forecast = { expected: number; low: number; high: number }

/** Assumed spread between seasons, as a share of the rate, until earlier seasons show it. */
const usualYearSpread = 0.15
/** The assumed spread weighs as much as this many seasons. */
const seasonsBehindSpread = 2
/** The common rate weighs as much as this many open registrations; most where programmes differ less than chance. */
const strengthLimits = { least: 1, most: 1e6 }
const [lowShare, highShare] = [0.1, 0.9]

/** Data for a rate: of `open` registrations, `later` enrolled later. */
type Seen = { open: number; later: number }

const openOf = ({ submitted, enrolled }: { submitted: number; enrolled: number }) => Math.max(0, submitted - enrolled)
const seenIn = (season: EarlierSeason): Seen => ({
  open: openOf(season),
  later: Math.max(0, season.enrolledFinally - season.enrolled),
})
const addUp = (seen: readonly Seen[]): Seen => ({
  open: seen.reduce((sum, { open }) => sum + open, 0),
  later: seen.reduce((sum, { later }) => sum + later, 0),
})

/** Rate over all programmes, how strongly single ones are pulled to it, and how much whole seasons differ. */
export type CommonRate = { rate: number; strength: number; yearVariance: number; later: number }

/**
 * Estimates the common rate by the method of moments; null if nobody had submitted on this day in any earlier season.
 */
export function findCommonRate(cells: readonly Pick<ForecastCell, 'earlier'>[]): CommonRate | null {
  const all = cells.flatMap(({ earlier }) => earlier)
  const { open, later } = addUp(all.map(seenIn))
  if (open === 0) return null
  const rate = later / open
  const programmes = cells.map(({ earlier }) => addUp(earlier.map(seenIn))).filter((seen) => seen.open > 0)
  const spread = programmes.reduce((sum, seen) => sum + seen.open * (seen.later / seen.open - rate) ** 2, 0)
  const weight = open - programmes.reduce((sum, seen) => sum + seen.open ** 2, 0) / open
  const variance = weight > 0 ? (spread - (programmes.length - 1) * rate) / weight : 0
  const strength = variance > 0 ? rate / variance : strengthLimits.most
  return {
    rate,
    later,
    strength: Math.min(strengthLimits.most, Math.max(strengthLimits.least, strength)),
    yearVariance: yearVarianceOf(all, rate),
  }
}

/** Variance between the rates of whole seasons beyond chance, pulled to the usual spread. */
function yearVarianceOf(seasons: readonly EarlierSeason[], rate: number): number {
  const years = [...new Set(seasons.map(({ year }) => year))]
    .map((year) => addUp(seasons.filter((season) => season.year === year).map(seenIn)))
    .filter(({ open }) => open > 0)
  const beyondChance = rate
    ? years.map(({ open, later }) => Math.max(0, (later / open / rate - 1) ** 2 - 1 / (rate * open)))
    : []
  const sum = beyondChance.reduce((total, value) => total + value, 0)
  return (seasonsBehindSpread * usualYearSpread ** 2 + sum) / (seasonsBehindSpread + Math.max(0, years.length - 1))
}

/** Mean and variance of a cell's rate: its own history, pulled to the common rate the more, the smaller it is. */
export function shrinkRate({ rate, strength }: CommonRate, { open, later }: Seen) {
  const mean = (strength * rate + later) / (strength + open)
  return { mean, variance: mean / (strength + open) }
}

export type SeasonForecast = { lines: Map<string, Forecast>; total: Forecast }

/** Forecasts each programme and the total; null without history. `common` may be estimated from more programmes. */
export function forecastSeason(
  cells: readonly ForecastCell[],
  common: CommonRate | null = findCommonRate(cells),
): SeasonForecast | null {
  if (!common) return null
  const lines = new Map<string, Forecast>()
  const total = { enrolled: 0, mean: 0, variance: 0 }
  for (const cell of cells) {
    const open = openOf(cell)
    const rate = shrinkRate(common, addUp(cell.earlier.map(seenIn)))
    const mean = rate.mean * open
    const own = mean + open ** 2 * rate.variance
    lines.set(
      cell.key,
      toForecast(cell.enrolled, mean, own + common.yearVariance * (mean ** 2 + open ** 2 * rate.variance)),
    )
    total.enrolled += cell.enrolled
    total.mean += mean
    total.variance += own
  }
  const shared = common.yearVariance + (common.later > 0 ? 1 / common.later : 0)
  return { lines, total: toForecast(total.enrolled, total.mean, total.variance + shared * total.mean ** 2) }
}

/** Adds the enrolled to the range of those still to come. */
function toForecast(enrolled: number, mean: number, variance: number): Forecast {
  const expected = Math.round(mean)
  return {
    expected: enrolled + expected,
    low: enrolled + Math.min(expected, quantileOf(mean, variance, lowShare)),
    high: enrolled + Math.max(expected, quantileOf(mean, variance, highShare)),
  }
}

/** Smallest count that a negative binomial with this mean and variance exceeds with probability at most `1 - share`. */
export function quantileOf(mean: number, variance: number, share: number): number {
  if (mean <= 0) return 0
  const size = mean ** 2 / Math.max(variance - mean, mean * 1e-9)
  const logNext = Math.log(mean / (mean + size))
  let logChance = -size * Math.log1p(mean / size)
  let reached = Math.exp(logChance)
  let count = 0
  for (; reached < share && count < 10 * (mean + 10 * Math.sqrt(variance)) + 10; count++) {
    logChance += Math.log((count + size) / (count + 1)) + logNext
    reached += Math.exp(logChance)
  }
  return count
}

/**
 * Backtest: what the method would have forecast on this day of an earlier season, from the seasons before it; null if
 * there is none. `every` holds the programmes behind the common rate.
 */
export function testOnSeason(
  cells: readonly ForecastCell[],
  year: string,
  every: readonly ForecastCell[] = cells,
): SeasonForecast | null {
  const asOfThen = ({ key, earlier }: ForecastCell): ForecastCell => {
    const season = earlier.find((one) => one.year === year)
    return {
      key,
      submitted: season?.submitted ?? 0,
      enrolled: season?.enrolled ?? 0,
      earlier: earlier.filter((one) => one.year < year),
    }
  }
  return forecastSeason(cells.map(asOfThen), findCommonRate(every.map(asOfThen)))
}
