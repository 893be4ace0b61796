const yearPattern = /^(20\d{2})\/(20\d{2})$/

/** Whether the text is two consecutive years. */
export function isAcademicYear(text: string): boolean {
  const [, first, second] = yearPattern.exec(text) ?? []
  return first !== undefined && Number(second) === Number(first) + 1
}

const firstYear = (academicYear: string) => Number(academicYear.slice(0, 4))

/** Replaces the old academic year in a text with the new one; unchanged if the text names no year. */
export function renameYear(text: string, from: string, to: string): string {
  const [oldYear, newYear] = [firstYear(from), firstYear(to)]
  const years = new Map([
    [String(oldYear), String(newYear)],
    [String(oldYear + 1), String(newYear + 1)],
  ])
  return text.replace(/20\d{2}/g, (year) => years.get(year) ?? year)
}

/**
 * Code for the new year: a year in it (2026, or a separate 26) is replaced, otherwise the new year is added. Never
 * longer than allowed and never one already used.
 */
export function nextCode(code: string, from: string, to: string, max: number, isTaken: (code: string) => boolean) {
  const [oldYear, newYear] = [firstYear(from), firstYear(to)]
  const withLongYear = renameYear(code, from, to)
  const withShortYear = code.replace(/(?<!\d)(\d{2})(?!\d)/g, (digits) =>
    digits === String(oldYear).slice(2) ? String(newYear).slice(2) : digits,
  )
  const ending = `-${String(newYear).slice(2)}`
  const candidates = [
    ...(withLongYear !== code ? [withLongYear] : []),
    ...(withShortYear !== code ? [withShortYear] : []),
    `${code.slice(0, max - ending.length)}${ending}`,
  ]
  const freeCode = candidates.find((candidate) => candidate.length <= max && !isTaken(candidate))
  if (freeCode) return freeCode
  for (let count = 2; count < 100; count++) {
    const tail = `${ending}.${count}`
    const candidate = `${code.slice(0, max - tail.length)}${tail}`
    if (!isTaken(candidate)) return candidate
  }
  return code
}
