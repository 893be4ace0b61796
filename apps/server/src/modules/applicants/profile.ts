import { sql } from 'kysely'
import { checkNik } from '#domain/applicants/nik.ts'
import {
  type ClothesSize,
  type Education,
  type Gender,
  isMinorOn,
  missingProfileFields,
  type ProfileAnswers,
  type ProfileField,
  profileCompleteness,
  profileFieldsOf,
} from '#domain/applicants/profile.ts'
import { universityCalendar } from '#domain/calendar.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import { imageUrl } from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'

const isColumn = (field: ProfileField): field is Exclude<ProfileField, 'guardianConsent'> => field !== 'guardianConsent'
const answerColumns = Object.values(profileFieldsOf)
  .flat()
  .filter(isColumn)
  .map((field) => `a.${field}` as const)

const hasMajors = sql<boolean>`(a.school_type_id IS NULL OR EXISTS (SELECT FROM school_majors m
  WHERE m.school_type_id = a.school_type_id AND m.active))`

/** Columns of the applicant `a` and account `u` that decide what is missing in the profile, for `withConsent`. */
export const profileAnswerColumns = sql`${sql.join(answerColumns.map((column) => sql.ref(column)))}, u.guardian_consent_at,
  ${hasMajors} AS school_type_has_majors`

type Consent = { birthDate: string | null; guardianConsentAt: Date | null }
export type ProfileAnswerRow = ProfileAnswers & Consent

/** The row with the answers that follow from the account's consent and the day. */
export const withConsent = <Row extends Consent>(row: Row, now: Date) => ({
  ...row,
  guardianConsent: row.guardianConsentAt !== null,
  isMinor: isMinorOn(row.birthDate, universityCalendar().dayOf(now)),
})

export type ProfileRecord = NonNullable<Awaited<ReturnType<typeof profileOf>>>

/** The profile of an account with the names of the rows it refers to; null before the first save. */
export const profileOf = async (db: Db, accountId: string, now: Date) =>
  (await profilesOf(db, [accountId], now)).get(accountId) ?? null

/** `profileOf` for several accounts, by account id; leaves out accounts without a profile. */
export async function profilesOf(db: Db, accountIds: readonly string[], now: Date) {
  if (accountIds.length === 0) return new Map<string, ReturnType<typeof toRecord>>()
  const rows = await findProfiles(db, accountIds)
  return new Map(rows.map((row) => [row.accountId, toRecord(row, now)]))
}

const findProfiles = (db: Db, accountIds: readonly string[]) =>
  db
    .selectFrom('applicants as a')
    .innerJoin('accounts as u', 'u.id', 'a.accountId')
    .leftJoin('religions', 'religions.id', 'a.religionId')
    .leftJoin('ethnicGroups', 'ethnicGroups.id', 'a.ethnicGroupId')
    .leftJoin('provinces', 'provinces.id', 'a.provinceId')
    .leftJoin('cities', 'cities.id', 'a.cityId')
    .leftJoin('districts', 'districts.id', 'a.districtId')
    .leftJoin('villages', 'villages.id', 'a.villageId')
    .leftJoin('schools', 'schools.id', 'a.schoolId')
    .leftJoin('cities as schoolCities', 'schoolCities.id', 'schools.cityId')
    .leftJoin('schoolTypes', 'schoolTypes.id', 'a.schoolTypeId')
    .leftJoin('schoolMajors', 'schoolMajors.id', 'a.schoolMajorId')
    .select(['a.id', 'a.accountId', 'a.version', 'a.createdAt', 'a.updatedAt', ...answerColumns])
    .select([
      'u.email',
      'u.guardianConsentAt',
      'religions.name as religionName',
      'ethnicGroups.name as ethnicGroupName',
      'provinces.name as provinceName',
      'cities.name as cityName',
      'districts.name as districtName',
      'villages.name as villageName',
      'schools.name as schoolName',
      'schools.npsn as schoolNpsn',
      'schools.verified as schoolVerified',
      'schoolCities.name as schoolCityName',
      'schoolTypes.name as schoolTypeName',
      'schoolMajors.name as schoolMajorName',
      hasMajors.as('schoolTypeHasMajors'),
    ])
    .where('a.accountId', 'in', [...accountIds])
    .execute()

function toRecord(row: Awaited<ReturnType<typeof findProfiles>>[number], now: Date) {
  const {
    religionName,
    ethnicGroupName,
    provinceName,
    cityName,
    districtName,
    villageName,
    schoolName,
    schoolNpsn,
    schoolCityName,
    schoolTypeName,
    schoolMajorName,
    ...profile
  } = row
  return {
    ...withConsent(profile, now),
    gender: profile.gender as Gender | null,
    lastEducation: profile.lastEducation as Education | null,
    clothesSize: profile.clothesSize as ClothesSize | null,
    names: {
      religion: religionName,
      ethnicGroup: ethnicGroupName,
      province: provinceName,
      city: cityName,
      district: districtName,
      village: villageName,
      school: schoolName,
      schoolNpsn,
      schoolCity: schoolCityName,
      schoolType: schoolTypeName,
      schoolMajor: schoolMajorName,
    },
  }
}

/** The profile as answered by the API: adds missing fields, NIK warnings and signed URLs of the photo for the actor. */
export async function toProfile(services: Services, actor: Actor, record: ProfileRecord) {
  const photo = (thumbnail: boolean) =>
    record.photoFileId ? imageUrl(services, actor, 'photo', record.photoFileId, { thumbnail }) : null
  const [photoUrl, photoThumbnailUrl] = await Promise.all([photo(false), photo(true)])
  return {
    ...record,
    photoUrl,
    photoThumbnailUrl,
    missing: missingProfileFields(record) as string[],
    completeness: profileCompleteness(record),
    nikWarnings: checkNik(record.nik, record),
  }
}
