export const genders = ['male', 'female'] as const
export type Gender = (typeof genders)[number]

export const educations = ['sma', 'smk', 'ma', 'paket_c', 'd3', 's1', 's2', 'other'] as const
export type Education = (typeof educations)[number]

export const clothesSizes = ['XS', 'S', 'M', 'L', 'XL', 'XXL', 'XXXL'] as const
export type ClothesSize = (typeof clothesSizes)[number]

/** Centimetres of the jacket laid flat: chest width and back length. */
export const clothesSizeChart: Record<ClothesSize, { chest: number; length: number }> = {
  XS: { chest: 48, length: 64 },
  S: { chest: 50, length: 66 },
  M: { chest: 53, length: 69 },
  L: { chest: 56, length: 72 },
  XL: { chest: 59, length: 75 },
  XXL: { chest: 62, length: 77 },
  XXXL: { chest: 66, length: 79 },
}

export const profileSections = ['identity', 'contact', 'address', 'education', 'photo'] as const
export type ProfileSection = (typeof profileSections)[number]

/** Profile fields by section, in the order on screen and paper. */
export const profileFieldsOf = {
  identity: [
    'fullName',
    'birthPlace',
    'birthDate',
    'gender',
    'citizenship',
    'nik',
    'nisn',
    'religionId',
    'ethnicGroupId',
  ],
  contact: ['phone', 'motherName', 'fatherName', 'guardianName', 'guardianPhone', 'guardianConsent'],
  address: ['provinceId', 'cityId', 'districtId', 'villageId', 'address', 'rt', 'rw', 'postalCode'],
  education: ['lastEducation', 'schoolId', 'schoolTypeId', 'schoolMajorId', 'graduationYear'],
  photo: ['photoFileId', 'clothesSize'],
} as const satisfies Record<ProfileSection, readonly string[]>

export type ProfileField = (typeof profileFieldsOf)[ProfileSection][number]

export const sectionOfField = (field: string): ProfileSection =>
  profileSections.find((section) => (profileFieldsOf[section] as readonly string[]).includes(field)) ?? 'identity'

/** Path to a profile section with a field focused; saving returns to the registration. */
export function pathOfProfile(section: ProfileSection, field?: string, registrationId?: string): string {
  const search = new URLSearchParams({ edit: section })
  if (field) search.set('field', field)
  if (registrationId) search.set('for', registrationId)
  return `/account/overview?${search}`
}

/** Path to the first missing answer, or to the whole profile if none is missing. */
export const pathToMissing = (missing: readonly string[], registrationId?: string): string => {
  const [first] = missing
  if (first) return pathOfProfile(sectionOfField(first), first, registrationId)
  return registrationId ? `/account/overview?for=${registrationId}` : '/account/overview'
}

/** Answers the rules below read; stored profiles and half-filled forms have this shape. */
export type ProfileAnswers = { [F in Exclude<ProfileField, 'guardianConsent'>]?: string | number | null } & {
  guardianConsent?: boolean | null
  isMinor?: boolean
  /** False for school types without majors. */
  schoolTypeHasMajors?: boolean
}

/** Whether the person is under eighteen on that day, so a guardian must be named and agree. */
export function isMinorOn(birthDate: string | null | undefined, today: string): boolean {
  if (!birthDate) return false
  const adultOn = `${Number(birthDate.slice(0, 4)) + 18}${birthDate.slice(4)}`
  return today < adultOn
}

const schoolEducations: readonly unknown[] = ['sma', 'smk', 'ma', 'paket_c'] satisfies Education[]

/** Fields required before registering, which depend on other answers. */
export function requiredProfileFields(profile: ProfileAnswers): ProfileField[] {
  const fromSchool = !profile.lastEducation || schoolEducations.includes(profile.lastEducation)
  return [
    'fullName',
    'birthPlace',
    'birthDate',
    'gender',
    ...((profile.citizenship ?? 'ID') === 'ID' ? (['nik'] as const) : []),
    'religionId',
    'phone',
    'motherName',
    ...(profile.isMinor ? (['guardianName', 'guardianPhone', 'guardianConsent'] as const) : []),
    'provinceId',
    'cityId',
    'districtId',
    'villageId',
    'address',
    'postalCode',
    'lastEducation',
    ...(fromSchool ? (['schoolId', 'schoolTypeId'] as const) : []),
    ...(fromSchool && profile.schoolTypeHasMajors !== false ? (['schoolMajorId'] as const) : []),
    'graduationYear',
    'photoFileId',
    'clothesSize',
  ]
}

const isAnswered = (answer: unknown) => answer !== undefined && answer !== null && answer !== '' && answer !== false

/** Required fields without an answer, in form order. */
export const missingProfileFields = (profile: ProfileAnswers): ProfileField[] =>
  requiredProfileFields(profile).filter((field) => !isAnswered(profile[field]))

/** Percent of required fields answered; 100 only if none is missing. */
export function profileCompleteness(profile: ProfileAnswers): number {
  const required = requiredProfileFields(profile).length
  return Math.floor(((required - missingProfileFields(profile).length) / required) * 100)
}
