export const genders = ['male', 'female'] as const
export type Gender = (typeof genders)[number]

export const educations = ['sma', 'smk', 'ma', 'paket_c', 'd3', 's1', 's2', 'other'] as const
export type Education = (typeof educations)[number]

export const clothesSizes = ['XS', 'S', 'M', 'L', 'XL', 'XXL', 'XXXL'] as const
export type ClothesSize = (typeof clothesSizes)[number]

/** Centimetres of the jacket lying flat: width of the chest and length of the back. */
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

/** Every answer of the profile by the group it is asked in; the order is the order on screen and on paper. */
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

/** Path to a group of questions, with the focus on one field; afterwards the page leads back to the registration. */
export function pathOfProfile(section: ProfileSection, field?: string, registrationId?: string): string {
  const search = new URLSearchParams({ edit: section })
  if (field) search.set('field', field)
  if (registrationId) search.set('for', registrationId)
  return `/account/overview?${search}`
}

/** Path to the question of the first missing answer; to the whole profile if none is missing. */
export const pathToMissing = (missing: readonly string[], registrationId?: string): string => {
  const [first] = missing
  if (first) return pathOfProfile(sectionOfField(first), first, registrationId)
  return registrationId ? `/account/overview?for=${registrationId}` : '/account/overview'
}

/** What the rules below read of a profile; both the stored record and a half-filled form have this shape. */
export type ProfileAnswers = { [F in Exclude<ProfileField, 'guardianConsent'>]?: string | number | null } & {
  guardianConsent?: boolean | null
  isMinor?: boolean
  /** Some school types have no majors to choose from. */
  schoolTypeHasMajors?: boolean
}

/** Under eighteen on that day: a guardian has to be named and to agree. */
export function isMinorOn(birthDate: string | null | undefined, today: string): boolean {
  if (!birthDate) return false
  const adultOn = `${Number(birthDate.slice(0, 4)) + 18}${birthDate.slice(4)}`
  return today < adultOn
}

const ofSchool: readonly unknown[] = ['sma', 'smk', 'ma', 'paket_c'] satisfies Education[]

/** The answers somebody with these other answers must give before registering. */
export function requiredProfileFields(profile: ProfileAnswers): ProfileField[] {
  const fromSchool = !profile.lastEducation || ofSchool.includes(profile.lastEducation)
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

const given = (answer: unknown) => answer !== undefined && answer !== null && answer !== '' && answer !== false

/** What is still asked, in the order of the form. */
export const missingProfileFields = (profile: ProfileAnswers): ProfileField[] =>
  requiredProfileFields(profile).filter((field) => !given(profile[field]))

/** Whole percent of the required answers given; 100 only when nothing is missing. */
export function profileCompleteness(profile: ProfileAnswers): number {
  const required = requiredProfileFields(profile).length
  return Math.floor(((required - missingProfileFields(profile).length) / required) * 100)
}
