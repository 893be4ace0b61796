import { Text, Title } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { IntakeChoices } from '#domain/admissions/intake-schemas.ts'
import { navigationConstants } from '#domain/navigation/constants.ts'
import classes from '#web/modules/admissions/apply/form.module.css'
import { stepKeys } from '#web/modules/admissions/apply/registration-form.ts'
import type { RegistrationSteps } from './use-registration-steps.ts'

type Props = Pick<RegistrationSteps, 'step' | 'steps' | 'stepIndex' | 'isCountCertain'> & {
  offer: IntakeChoices | undefined
}

/** Number and title of the step; a step change moves the focus to the title. */
export function StepHeading({ step, steps, stepIndex, isCountCertain, offer }: Props) {
  const { t } = useTranslation('registration')
  const heading = useRef<HTMLHeadingElement>(null)
  const focusedStep = useRef(step)
  useEffect(() => {
    if (focusedStep.current === step) return
    focusedStep.current = step
    heading.current?.focus({ preventScroll: true })
    window.scrollTo({ top: 0 })
  }, [step])
  const lead = {
    track: 'form.trackLead',
    programme: offer?.track.maxChoices === 1 ? 'form.programmeLeadOne' : 'form.programmeLead',
    donation: 'form.donationLead',
    test: 'form.testLead',
    check: null,
  }[step]
  return (
    <>
      <p className={classes.steps}>
        {isCountCertain
          ? t('form.step', { number: stepIndex + navigationConstants.stepperStartIndex, count: steps.length })
          : t('form.stepFirst')}
      </p>
      <div className={classes.bar} aria-hidden="true">
        {(isCountCertain ? steps : stepKeys).map((key, index) => (
          <span key={key} data-done={index <= stepIndex || undefined} />
        ))}
      </div>
      <Title order={1} ref={heading} tabIndex={-1} className={classes.heading}>
        {t(`form.steps.${step}`)}
      </Title>
      {lead && (
        <Text c="dimmed" mt={4}>
          {t(lead)}
        </Text>
      )}
    </>
  )
}
