import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { rowVersion } from '#domain/row-version.ts'
import { time } from '#entities/define/answer-time.ts'
import { languages } from '#entities/define/language.ts'
import { typedDay } from '#entities/define/typed-dates.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import { licenceClasses, licenceStatuses } from './driving-licence.ts'
import { nikWarnings } from './nik.ts'
import { clothesSizes, educations, genders } from './profile.ts'
import { licenceProblems, profileProblems, proposalProblems } from './profile-problems.ts'
import { chooseReasons, informationSources, selectionCriteria } from './questionnaire.ts'

const id = z.uuid().nullable()
/** Upper bound only: the use case reports a wrong format in one sentence. */
const numberText = typedLine().max(40).nullable()

const text = z.string().nullable()

const profileFields = {
  id: z.uuid(),
  accountId: z.uuid(),
  email: z.string(),
  fullName: z.string(),
  birthPlace: text,
  birthDate: text,
  gender: z.enum(genders).nullable(),
  citizenship: z.string(),
  nik: text,
  nisn: text,
  religionId: id,
  ethnicGroupId: id,
  phone: text,
  motherName: text,
  fatherName: text,
  guardianName: text,
  guardianPhone: text,
  guardianConsent: z.boolean(),
  guardianConsentAt: time.nullable(),
  provinceId: id,
  cityId: id,
  districtId: id,
  villageId: id,
  address: text,
  rt: text,
  rw: text,
  postalCode: text,
  lastEducation: z.enum(educations).nullable(),
  schoolId: id,
  schoolTypeId: id,
  schoolMajorId: id,
  graduationYear: z.int().nullable(),
  photoFileId: id,
  clothesSize: z.enum(clothesSizes).nullable(),
  isMinor: z.boolean(),
  schoolTypeHasMajors: z.boolean(),
  version: z.int(),
  createdAt: time,
  updatedAt: time,
  /** Names of the referenced rows. */
  names: z.object({
    religion: text,
    ethnicGroup: text,
    province: text,
    city: text,
    district: text,
    village: text,
    school: text,
    schoolNpsn: text,
    schoolCity: text,
    schoolType: text,
    schoolMajor: text,
  }),
  schoolVerified: z.boolean().nullable(),
}

export const shownProfile = z.object({
  ...profileFields,
  /** Signed URL that expires soon. */
  photoUrl: text,
  photoThumbnailUrl: text,
  /** Names of required fields without an answer. */
  missing: z.array(z.string()),
  completeness: z.int().min(0).max(100),
  nikWarnings: z.array(z.enum(nikWarnings)),
})
export type Profile = z.output<typeof shownProfile>

export const getProfile = endpoint({
  method: 'GET',
  path: '/auth/my-profile',
  access: 'signed-in',
  summary: 'The profile of the signed-in person; null until it was filled in for the first time',
  response: z.object({ data: shownProfile.nullable() }),
})

export const updateProfile = endpoint({
  method: 'PUT',
  path: '/auth/my-profile',
  access: 'signed-in',
  summary: 'Save any part of the profile: what is not named stays as it is, null empties it',
  body: z.strictObject({
    /** Version before the change; 0 or missing if there is no profile yet. */
    version: rowVersion.default(0),
    fullName: typedLine().min(1).max(100).optional(),
    birthPlace: typedLine().max(60).nullable().optional(),
    birthDate: typedDay.nullable().optional(),
    gender: z.enum(genders).nullable().optional(),
    citizenship: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .optional(),
    nik: numberText.optional(),
    nisn: numberText.optional(),
    religionId: id.optional(),
    ethnicGroupId: id.optional(),
    phone: numberText.optional(),
    motherName: typedLine().max(100).nullable().optional(),
    fatherName: typedLine().max(100).nullable().optional(),
    guardianName: typedLine().max(100).nullable().optional(),
    guardianPhone: numberText.optional(),
    /** Consent of the guardian of an applicant under eighteen to data processing. */
    guardianConsent: z.literal(true).optional(),
    provinceId: id.optional(),
    cityId: id.optional(),
    districtId: id.optional(),
    villageId: id.optional(),
    address: typedLine().max(200).nullable().optional(),
    rt: numberText.optional(),
    rw: numberText.optional(),
    postalCode: numberText.optional(),
    lastEducation: z.enum(educations).nullable().optional(),
    schoolId: id.optional(),
    schoolTypeId: id.optional(),
    schoolMajorId: id.optional(),
    graduationYear: z.int().min(1950).max(2100).nullable().optional(),
    clothesSize: z.enum(clothesSizes).nullable().optional(),
  }),
  rules: profileProblems,
  rulesInUseCase: true,
  response: z.object({ data: shownProfile }),
})

export type ProfileInput = z.output<(typeof updateProfile)['body']>

const specialNeeds = z.object({ needs: text })

export const getSpecialNeeds = endpoint({
  method: 'GET',
  path: '/auth/my-profile/special-needs',
  access: 'signed-in',
  summary: 'What the signed-in person needs at a test; null if nothing',
  response: z.object({ data: specialNeeds }),
})

export const saveSpecialNeeds = endpoint({
  method: 'PUT',
  path: '/auth/my-profile/special-needs',
  access: 'signed-in',
  summary: 'Say what one needs at a test; shown only to those who arrange tests',
  body: z.strictObject({ needs: typedText().max(500).nullable() }),
  response: z.object({ data: specialNeeds }),
})

export const uploadProfilePhoto = endpoint({
  method: 'POST',
  path: '/auth/my-profile/photo',
  access: 'signed-in',
  summary: 'Send a portrait photo (multipart, field `file`)',
  upload: true,
  response: z.object({ data: shownProfile }),
})

const namedFields = { id: z.uuid(), name: z.string() }
const namedRow = z.object(namedFields)
export const profileOptions = endpoint({
  method: 'GET',
  path: '/auth/my-profile/options',
  access: 'signed-in',
  summary: 'Religions, ethnic groups, school types and majors to choose from',
  response: z.object({
    data: z.object({
      religions: z.array(namedRow),
      ethnicGroups: z.array(namedRow),
      schoolTypes: z.array(z.object({ ...namedFields, code: z.string(), majors: z.array(namedRow) })),
    }),
  }),
})

export const regionLevels = ['provinces', 'cities', 'districts', 'villages'] as const
export type RegionLevel = (typeof regionLevels)[number]

export const listRegions = endpoint({
  method: 'GET',
  path: '/regions/:level',
  access: 'signed-in',
  summary: 'Regions of one level below their parent',
  params: z.object({ level: z.enum(regionLevels) }),
  query: z.object({ parentId: z.uuid().optional(), q: typedLine().max(60).optional() }),
  response: z.object({
    data: z.array(z.object({ ...namedFields, parentId: z.uuid().nullable(), postalCode: text })),
  }),
})

const schoolFields = {
  id: z.uuid(),
  npsn: z.string(),
  name: z.string(),
  schoolTypeId: z.uuid(),
  schoolType: z.string(),
  status: z.enum(['negeri', 'swasta']),
  cityId: z.uuid(),
  city: z.string(),
  province: z.string(),
  verified: z.boolean(),
}
const school = z.object(schoolFields)
export type School = z.output<typeof school>

export const searchSchools = endpoint({
  method: 'GET',
  path: '/schools/search',
  access: 'signed-in',
  summary: 'Schools by name, NPSN or city, the best twenty',
  query: z.object({ q: typedLine().min(2).max(100), cityId: z.uuid().optional() }),
  response: z.object({ data: z.array(school) }),
})

export const proposeSchool = endpoint({
  method: 'POST',
  path: '/schools/propose',
  access: 'signed-in',
  summary: 'Name a school that is missing; staff check it later. One that exists already is answered instead',
  body: z.strictObject({
    name: typedLine().min(3).max(150),
    npsn: typedLine().max(12).optional(),
    schoolTypeId: z.uuid(),
    status: z.enum(['negeri', 'swasta']),
    cityId: z.uuid(),
    address: typedText().max(300).optional(),
  }),
  rules: proposalProblems,
  rulesInUseCase: true,
  response: z.object({ data: z.object({ ...schoolFields, existed: z.boolean() }) }),
})

const licence = z.object({
  drives: z.boolean(),
  class: z.enum(licenceClasses).nullable(),
  number: text,
  expiresOn: text,
  fileId: id,
  fileUrl: text,
  fileName: text,
  status: z.enum(licenceStatuses),
  rejectReason: text,
  version: z.int(),
  updatedAt: time,
})
export type DrivingLicence = z.output<typeof licence>

const simLabel = z.object({ label: z.object({ en: z.string(), id: z.string() }) })

export const getDrivingLicence = endpoint({
  method: 'GET',
  path: '/account/driving-licence',
  access: 'signed-in',
  summary: 'Own driving licence (SIM); null until answered',
  response: z.object({ data: licence.nullable(), meta: simLabel }),
})

export const saveDrivingLicence = endpoint({
  method: 'PUT',
  path: '/account/driving-licence',
  access: 'signed-in',
  summary: 'Answer whether one drives, and by which licence',
  body: z.strictObject({
    version: rowVersion.default(0),
    drives: z.boolean(),
    class: z.enum(licenceClasses).nullable().optional(),
    number: typedLine().max(30).nullable().optional(),
    expiresOn: typedDay.nullable().optional(),
  }),
  rules: licenceProblems,
  response: z.object({ data: licence, meta: simLabel }),
})

export const uploadDrivingLicence = endpoint({
  method: 'POST',
  path: '/account/driving-licence/scan',
  access: 'signed-in',
  summary: 'Send a picture of the licence (multipart, field `file`)',
  upload: true,
  response: z.object({ data: licence, meta: simLabel }),
})

const picks = {
  reasons: z.array(z.enum(chooseReasons)).min(1).max(chooseReasons.length),
  criteria: z.array(z.enum(selectionCriteria)).min(1).max(selectionCriteria.length),
  sources: z.array(z.enum(informationSources)).min(1).max(informationSources.length),
}
const questionnaire = z.object({
  ...picks,
  other: text,
  answeredAt: time,
  version: z.int(),
})
export type Questionnaire = z.output<typeof questionnaire>

export const getQuestionnaire = endpoint({
  method: 'GET',
  path: '/account/questionnaire',
  access: 'signed-in',
  summary: 'Own answers to the short questionnaire; null until answered',
  response: z.object({ data: questionnaire.nullable() }),
})

export const saveQuestionnaire = endpoint({
  method: 'PUT',
  path: '/account/questionnaire',
  access: 'signed-in',
  summary: 'Answer the short questionnaire',
  body: z.strictObject({
    version: rowVersion.default(0),
    ...picks,
    other: typedText().max(300).nullable().optional(),
  }),
  rules: ({ reasons = [], criteria = [], sources = [], other }) => ({
    other: !other && [...reasons, ...criteria, ...sources].includes('other') ? 'other_reason_required' : null,
  }),
  response: z.object({ data: questionnaire }),
})

export const dataSheet = endpoint({
  method: 'GET',
  path: '/account/data-sheet.pdf',
  access: 'signed-in',
  summary: 'Own data on paper: A4 with photo and every field',
  query: z.object({ language: z.enum(languages).optional() }),
  response: z.unknown(),
})
