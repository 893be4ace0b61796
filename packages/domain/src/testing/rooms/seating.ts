export const seatingRules = ['name', 'lot', 'school'] as const

export type SeatingRule = (typeof seatingRules)[number]
