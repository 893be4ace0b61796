import { Checkbox, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { longDate } from '#locales/format.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import type { SectionFields } from './section-fields.ts'
import { TextAnswer } from './text-answer.tsx'

export function ContactFields(section: SectionFields) {
  const { t } = useTranslation('applicants')
  const { language } = useSurroundings()
  const { answers, profile, set } = section
  return (
    <>
      <TextAnswer section={section} field="phone" help={t('help.phone')} type="tel" autoComplete="tel" maxLength={20} />
      <TextAnswer section={section} field="motherName" maxLength={100} autoComplete="off" />
      <TextAnswer section={section} field="fatherName" maxLength={100} autoComplete="off" />
      <TextAnswer
        section={section}
        field="guardianName"
        help={answers.isMinor ? t('help.guardianName') : undefined}
        maxLength={100}
        autoComplete="off"
      />
      <TextAnswer section={section} field="guardianPhone" type="tel" maxLength={20} autoComplete="off" />
      {profile?.guardianConsentAt ? (
        <Text size="sm" c="dimmed">
          {t('guardianConsentGiven', { date: longDate(profile.guardianConsentAt, language) })}
        </Text>
      ) : (
        answers.isMinor &&
        !section.staff && (
          <Checkbox
            name="guardianConsent"
            label={t('guardianConsentText')}
            checked={Boolean(answers.guardianConsent)}
            onChange={(event) => set({ guardianConsent: event.currentTarget.checked ? true : undefined })}
          />
        )
      )}
    </>
  )
}
