import { Button, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from '#web/modules/admissions/apply/form.module.css'
import type { RegistrationDraft } from './use-registration-draft.ts'
import type { RegistrationSteps } from './use-registration-steps.ts'

type Props = { draft: RegistrationDraft; steps: RegistrationSteps; problem: string | undefined }

/** Back and on, with the problem that keeps the applicant here. */
export function StepButtons({ draft, steps, problem }: Props) {
  const { t } = useTranslation('registration')
  const { step, at, screen, goBack } = steps
  const hasSession = screen.sessionId || draft.testSchedule.schedule.data?.data.seat
  return (
    <div className={classes.actions}>
      {problem && (
        <Text c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
      <div className={classes.buttons}>
        {at > 0 && (
          <Button variant="default" onClick={goBack} disabled={screen.sending}>
            {t('form.back')}
          </Button>
        )}
        <Button type="submit" className={classes.grow} loading={screen.sending} disabled={draft.loading}>
          {t(step === 'check' ? 'form.submit' : step === 'test' && !hasSession ? 'form.testLater' : 'form.next')}
        </Button>
      </div>
    </div>
  )
}
