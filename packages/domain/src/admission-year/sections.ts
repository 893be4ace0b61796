/** What a new admission year copies from another, in the order of writing. */
export const yearSections = [
  'waves',
  'trackDetails',
  'programmeDetails',
  'registrationFees',
  'tuition',
  'donations',
  'installmentPlans',
  'discounts',
  'testSessions',
] as const
export type YearSection = (typeof yearSections)[number]

/** All sections except waves, which a new year needs. */
export const optionalSections = yearSections.filter((key) => key !== 'waves')

/** Sections whose amounts may be raised while copying. */
export const pricedSections = ['registrationFees', 'tuition', 'donations'] as const
export type PricedSection = (typeof pricedSections)[number]

type SectionRules = {
  /** Slug of the entity whose rows are copied. */
  entity: string
  /** Fields shown as old beside new. */
  fields: readonly string[]
  /** Fields that may be changed in the wizard. */
  editable: readonly string[]
  /** Dates that move with their wave. */
  moves: readonly string[]
  permissions: readonly string[]
}

const dates = ['opensAt', 'closesAt', 'resultsAt', 'confirmationDueAt'] as const

export const sectionRules: Record<YearSection, SectionRules> = {
  waves: {
    entity: 'periode',
    fields: ['code', 'name', 'semesterCode', ...dates],
    editable: ['code', 'name', 'semesterCode', ...dates],
    moves: dates,
    permissions: ['master-periode-create'],
  },
  trackDetails: {
    entity: 'jalur-detail',
    fields: ['opensAt', 'closesAt', 'paymentDueAt', 'resultsAt', 'confirmationDueAt', 'quota'],
    editable: ['quota'],
    moves: ['opensAt', 'closesAt', 'paymentDueAt', 'resultsAt', 'confirmationDueAt'],
    permissions: ['master-jalur-detail-create'],
  },
  programmeDetails: {
    entity: 'prodi-detail',
    fields: ['capacity', 'passingGrade'],
    editable: ['capacity', 'passingGrade'],
    moves: [],
    permissions: ['master-prodi-detail-create'],
  },
  registrationFees: {
    entity: 'biaya-pendaftaran',
    fields: ['amount'],
    editable: ['amount'],
    moves: [],
    permissions: ['master-biaya-pendaftaran-create'],
  },
  tuition: {
    entity: 'uang-kuliah',
    fields: ['amount'],
    editable: [],
    moves: [],
    permissions: ['master-uang-kuliah-create'],
  },
  donations: {
    entity: 'sumbangan',
    fields: ['minimumAmount', 'suggestedAmounts'],
    editable: ['minimumAmount', 'suggestedAmounts'],
    moves: [],
    permissions: ['master-sumbangan-create'],
  },
  installmentPlans: {
    entity: 'cicilan',
    fields: ['code', 'name'],
    editable: ['code', 'name'],
    moves: [],
    permissions: ['master-cicilan-create', 'master-cicilan-update'],
  },
  discounts: {
    entity: 'diskon',
    fields: ['code', 'name', 'validFrom', 'validTo'],
    editable: ['code', 'name', 'validFrom', 'validTo'],
    moves: ['validFrom', 'validTo'],
    permissions: ['master-diskon-create'],
  },
  testSessions: {
    entity: 'jadwal-test',
    fields: ['name', 'date', 'startTime', 'endTime', 'location', 'capacity', 'bookingOpensAt', 'bookingClosesAt'],
    editable: ['name', 'date', 'location', 'capacity'],
    moves: ['date', 'bookingOpensAt', 'bookingClosesAt'],
    permissions: ['master-jadwal-test-create'],
  },
}
