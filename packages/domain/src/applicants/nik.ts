import type { Gender } from './profile.ts'

export type Nik = { provinceCode: string; day: number; month: number; year: number; gender: Gender }

/**
 * What the sixteen digits of an identity number say: region of issue, date of birth (day + 40 for women), serial.
 * The year has two digits only. Null when the digits cannot be a NIK at all.
 */
export function parseNik(nik: string): Nik | null {
  if (!/^\d{16}$/.test(nik)) return null
  const part = (from: number, to: number) => Number(nik.slice(from, to))
  const day = part(6, 8)
  return {
    provinceCode: nik.slice(0, 2),
    day: day > 40 ? day - 40 : day,
    month: part(8, 10),
    year: part(10, 12),
    gender: day > 40 ? 'female' : 'male',
  }
}

export const nikWarnings = ['nik_impossible', 'nik_birth_date', 'nik_gender'] as const
export type NikWarning = (typeof nikWarnings)[number]

/**
 * Where the NIK and the rest of the identity disagree. A warning and never a refusal: cards with an old mistake exist,
 * and the region of issue is where somebody was first recorded, not where they live.
 */
export function checkNik(
  nik: string | null,
  { birthDate, gender }: { birthDate: string | null; gender: Gender | null },
): NikWarning[] {
  const told = nik ? parseNik(nik) : null
  if (!nik || !told) return []
  if (
    told.day < 1 ||
    told.day > 31 ||
    told.month < 1 ||
    told.month > 12 ||
    nik.startsWith('0') ||
    nik.endsWith('0000')
  ) {
    return ['nik_impossible']
  }
  const warnings: NikWarning[] = []
  if (birthDate) {
    const [year, month, day] = birthDate.split('-').map(Number) as [number, number, number]
    if (told.day !== day || told.month !== month || told.year !== year % 100) warnings.push('nik_birth_date')
  }
  if (gender && told.gender !== gender) warnings.push('nik_gender')
  return warnings
}
