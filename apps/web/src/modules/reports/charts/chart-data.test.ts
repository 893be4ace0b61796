import type { TFunction } from 'i18next'
import { describe, expect, it } from 'vitest'
import type { ReportLine } from '#domain/reports/endpoints.ts'
import { chartData, chartHeightPx, insideOut, pointText } from './chart-data.ts'

const t = ((key: string, params?: object) => `${key}${params ? JSON.stringify(params) : ''}`) as TFunction<'reports'>
const line = (name: string, submitted: number, before: number | null): ReportLine => ({
  keys: { programme: name },
  labels: { programme: name },
  values: { submitted, accepted: submitted / 2 },
  before: before === null ? null : { submitted: before, accepted: 0 },
})
const submitted = { key: 'submitted', label: 'Submitted', kind: 'count' as const, opens: true }
const accepted = { key: 'accepted', label: 'Accepted', kind: 'count' as const, opens: true }
const total = { keys: {}, labels: {}, values: { submitted: 100, accepted: 40 }, before: null }

describe('the points of a chart', () => {
  it('are the largest lines for bars, and the chart says that others are missing', () => {
    const lines = Array.from({ length: 30 }, (_, index) => line(`P${index}`, index, null))
    const { points, cut } = chartData({ kind: 'bars', figures: [submitted], lines, total }, t)
    expect(points).toHaveLength(20)
    expect(points[0]).toMatchObject({ name: 'P29', submitted: 29 })
    expect(cut).toBe(true)
  })

  it("keep the table's order if it has a meaning, such as score classes, sizes or years", () => {
    const lines = Array.from({ length: 30 }, (_, index) => line(`P${index}`, index % 7, null))
    const { points } = chartData({ kind: 'bars', figures: [submitted], lines, total, keepsOrder: true }, t)
    const places = points.map(({ name }) => Number(name.slice(1)))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(7)
  })

  it("keep the table's order over time, with last year's value beside each figure", () => {
    const lines = [line('1 Jan', 5, 9), line('2 Jan', 8, 2)]
    const withBefore = { ...total, before: { submitted: 11, accepted: 0 } }
    const { points, series } = chartData({ kind: 'lines', figures: [submitted, accepted], lines, total: withBefore }, t)
    expect(points.map(({ name }) => name)).toEqual(['1 Jan', '2 Jan'])
    expect(points[0]).toMatchObject({ submitted: 5, submittedBefore: 9 })
    expect(series.map(({ name }) => name)).toEqual(['submitted', 'submittedBefore', 'accepted', 'acceptedBefore'])
  })

  it('are drawn inside each other if each figure is a part of the previous one, and announced in full', () => {
    const lines = [line('P1', 10, 4)]
    const withBefore = { ...total, before: { submitted: 4, accepted: 0 } }
    const data = chartData({ kind: 'nested', figures: [submitted, accepted], lines, total: withBefore }, t)
    expect(data.series.map(({ name }) => name)).toEqual(['submitted', 'accepted'])
    expect(insideOut(data)).toEqual([{ name: 'P1', submitted: 5, accepted: 5 }])
    expect(pointText(data, 0, 'nested', submitted, t)).toBe('P1: Submitted 10, Accepted 5')
    expect(chartHeightPx('nested', data)).toBeLessThan(chartHeightPx('bars', { ...data, series: Array(4) as never }))
  })

  it('name the earlier year if it is known', () => {
    const withBefore = { ...total, before: { submitted: 4, accepted: 0 } }
    const named = (figures: (typeof submitted)[], yearBefore?: string) =>
      chartData({ kind: 'lines', figures, lines: [line('P1', 10, 4)], total: withBefore, yearBefore }, t).series[1]!
        .label
    expect(named([submitted], '2025/2026')).toBe('2025/2026')
    expect(named([submitted, accepted], '2025/2026')).toContain('2025/2026')
    expect(named([submitted])).toBe('chartBefore')
  })

  it('have room for all rows of the longest name', () => {
    const heightOf = (name: string) => chartHeightPx('bars', { series: [], points: [{ name }, { name: 'P2' }] })
    expect(heightOf('SMA Negeri 1')).toBe(heightOf('SMA Negeri 12 Kota'))
    const long = 'SMA Negeri Percontohan Unggulan Kabupaten Teladan Barat · Ya'
    expect(heightOf(long)).toBeGreaterThanOrEqual(heightOf('P1') + 2 * 2 * 15)
  })

  it('in a funnel say how many of the previous step continued', () => {
    const data = chartData({ kind: 'funnel', figures: [submitted, accepted], lines: [], total }, t)
    expect(pointText(data, 1, 'funnel', submitted, t)).toContain('40,00%')
    expect(pointText(data, 0, 'funnel', submitted, t)).not.toContain('%')
  })
})
