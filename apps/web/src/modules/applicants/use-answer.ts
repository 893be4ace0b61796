import { useTranslation } from 'react-i18next'
import { formatPhone } from '#domain/accounts/phone.ts'
import type { Profile } from '#domain/applicants/endpoints.ts'
import type { ProfileField } from '#domain/applicants/profile.ts'
import { longDate } from '#locales/format.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** Returns a function that words a profile answer; null if it is missing. */
export function useAnswer() {
  const { t } = useTranslation('applicants')
  const { language } = useSurroundings()
  return (profile: Profile, field: ProfileField): string | null => {
    const { names } = profile
    const namedAnswers: Partial<Record<ProfileField, string | null>> = {
      religionId: names.religion,
      ethnicGroupId: names.ethnicGroup,
      provinceId: names.province,
      cityId: names.city,
      districtId: names.district,
      villageId: names.village,
      schoolId: names.school && `${names.school} · NPSN ${names.schoolNpsn} · ${names.schoolCity}`,
      schoolTypeId: names.schoolType,
      schoolMajorId: names.schoolMajor,
      birthDate: profile.birthDate && longDate(profile.birthDate, language),
      gender: profile.gender && t(`gender.${profile.gender}`),
      citizenship: new Intl.DisplayNames([language], { type: 'region' }).of(profile.citizenship) ?? profile.citizenship,
      phone: profile.phone && formatPhone(profile.phone),
      guardianPhone: profile.guardianPhone && formatPhone(profile.guardianPhone),
      guardianConsent: profile.guardianConsentAt && longDate(profile.guardianConsentAt, language),
      photoFileId: profile.photoFileId && t('photo.there'),
      lastEducation: profile.lastEducation && t(`education.${profile.lastEducation}`),
    }
    if (field in namedAnswers) return namedAnswers[field] ?? null
    const answer = profile[field]
    return answer === null || answer === '' ? null : String(answer)
  }
}
