import type { Gender } from './profile.ts'

export type Nik = { provinceCode: string; day: number; month: number; year: number; gender: Gender }

/**
 * Parses the sixteen digits of a NIK: region of issue, date of birth (day + 40 for women), serial. The year has two
 * digits. Null if the text is not a NIK.
 */
export function parseNik(nik: string): Nik | null {
  if (!/^\d{16}$/.test(nik)) return null
  const numberAt = (start: number, end: number) => Number(nik.slice(start, end))
  const day = numberAt(6, 8)
  return {
    provinceCode: nik.slice(0, 2),
    day: day > 40 ? day - 40 : day,
    month: numberAt(8, 10),
    year: numberAt(10, 12),
    gender: day > 40 ? 'female' : 'male',
  }
}

/**
 * Whether a card with this NIK can exist: provinces have codes from 11, and the day exists in its month of some year.
 * Old cards may contradict the person, but not the calendar.
 */
export function isPossibleNik(nik: string): boolean {
  const parsed = parseNik(nik)
  if (!parsed) return false
  const { provinceCode, day, month } = parsed
  const lastDay = new Date(Date.UTC(2000, month, 0)).getUTCDate()
  return !provinceCode.startsWith('0') && month >= 1 && month <= 12 && day >= 1 && day <= lastDay
}

export const nikWarnings = ['nik_impossible', 'nik_birth_date', 'nik_gender'] as const
export type NikWarning = (typeof nikWarnings)[number]

/**
 * Contradictions between NIK and identity. Warnings, never refusals: some cards have old mistakes, and the region is
 * that of the first record, not of the current address.
 */
export function checkNik(
  nik: string | null,
  { birthDate, gender }: { birthDate: string | null; gender: Gender | null },
): NikWarning[] {
  const parsed = nik ? parseNik(nik) : null
  if (!nik || !parsed) return []
  if (!isPossibleNik(nik) || nik.endsWith('0000')) return ['nik_impossible']
  const warnings: NikWarning[] = []
  if (birthDate) {
    const [year, month, day] = birthDate.split('-').map(Number) as [number, number, number]
    if (parsed.day !== day || parsed.month !== month || parsed.year !== year % 100) warnings.push('nik_birth_date')
  }
  if (gender && parsed.gender !== gender) warnings.push('nik_gender')
  return warnings
}
