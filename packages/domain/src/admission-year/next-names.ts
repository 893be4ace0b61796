/** `2026/2027` → `2027/2028`. */
export const yearAfter = (academicYear: string, years = 1) =>
  academicYear.replace(/20\d{2}/g, (year) => String(Number(year) + years))
