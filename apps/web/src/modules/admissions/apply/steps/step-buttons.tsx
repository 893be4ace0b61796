import { Button, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from '#web/modules/admissions/apply/form.module.css'
import { bringIntoView } from '#web/ui/bring-into-view.ts'
import { useDoubleTapGuard } from '#web/ui/form/double-tap.ts'
import type { RegistrationSteps } from './use-registration-steps.ts'

type Props = { steps: RegistrationSteps; disabled: boolean; hasSession: boolean; problem: string | undefined }

/** Back and next, with the problem that blocks moving on. */
export function StepButtons({ steps, disabled, hasSession, problem }: Props) {
  const { t } = useTranslation('registration')
  const { step, stepIndex, screen, goBack } = steps
  const tapGuard = useDoubleTapGuard(step)
  return (
    <div className={classes.actions}>
      {problem && (
        <Text c="var(--mantine-color-error)" role="alert" ref={bringIntoView}>
          {problem}
        </Text>
      )}
      <div className={classes.buttons} style={tapGuard}>
        {stepIndex > 0 && (
          <Button variant="default" onClick={goBack} disabled={screen.sending}>
            {t('form.back')}
          </Button>
        )}
        <Button type="submit" className={classes.grow} loading={screen.sending} disabled={disabled}>
          {t(step === 'check' ? 'form.submit' : step === 'test' && !hasSession ? 'form.testLater' : 'form.next')}
        </Button>
      </div>
    </div>
  )
}
