import { Checkbox, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { longDate } from '#locales/format.ts'
import { useSurroundings } from '#web/ui/words.tsx'
import type { SectionFields } from './section-fields.ts'
import { TextAnswer } from './text-answer.tsx'

export function ContactFields(of: SectionFields) {
  const { t } = useTranslation('applicants')
  const { language } = useSurroundings()
  const { answers, profile, set } = of
  return (
    <>
      <TextAnswer of={of} field="phone" help={t('help.phone')} type="tel" autoComplete="tel" maxLength={20} />
      <TextAnswer of={of} field="motherName" maxLength={100} autoComplete="off" />
      <TextAnswer of={of} field="fatherName" maxLength={100} autoComplete="off" />
      <TextAnswer
        of={of}
        field="guardianName"
        help={answers.isMinor ? t('help.guardianName') : undefined}
        maxLength={100}
        autoComplete="off"
      />
      <TextAnswer of={of} field="guardianPhone" type="tel" maxLength={20} autoComplete="off" />
      {profile?.guardianConsentAt ? (
        <Text size="sm" c="dimmed">
          {t('guardianConsentGiven', { date: longDate(profile.guardianConsentAt, language) })}
        </Text>
      ) : (
        answers.isMinor &&
        !of.staff && (
          <Checkbox
            label={t('guardianConsentText')}
            checked={Boolean(answers.guardianConsent)}
            onChange={(event) => set({ guardianConsent: event.currentTarget.checked ? true : undefined })}
          />
        )
      )}
    </>
  )
}
