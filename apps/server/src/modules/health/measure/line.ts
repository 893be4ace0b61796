import type { HealthCode, HealthLineName, HealthState } from '#domain/health/lines.ts'

export type Facts = Record<string, string | number | null>

/** A measured line; `state` is null while nothing is known, and such a line is neither stored nor announced. */
export type MeasuredLine = { name: HealthLineName; state: HealthState | null; code: HealthCode; facts: Facts }

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

/** The state of a value for which higher is worse. */
export const above = (value: number, { soon, red }: { soon: number; red: number }): HealthState =>
  value >= red ? 'red' : value >= soon ? 'soon' : 'ok'
