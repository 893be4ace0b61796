import { Text, Title } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { IntakeChoices } from '#domain/admissions/intake-schemas.ts'
import { navigationConstants } from '#domain/navigation/constants.ts'
import classes from '#web/modules/admissions/apply/form.module.css'
import { stepKeys } from '#web/modules/admissions/apply/registration-form.ts'
import type { RegistrationSteps } from './use-registration-steps.ts'

type Props = Pick<RegistrationSteps, 'step' | 'steps' | 'at' | 'known'> & { chosen: IntakeChoices | undefined }

/** Where the applicant is and what this step asks; takes the focus at every further step. */
export function StepHeading({ step, steps, at, known, chosen }: Props) {
  const { t } = useTranslation('registration')
  const heading = useRef<HTMLHeadingElement>(null)
  const shownStep = useRef(step)
  useEffect(() => {
    if (shownStep.current === step) return
    shownStep.current = step
    heading.current?.focus({ preventScroll: true })
    window.scrollTo({ top: 0 })
  }, [step])
  const lead = {
    track: 'form.trackLead',
    programme: chosen?.track.maxChoices === 1 ? 'form.programmeLeadOne' : 'form.programmeLead',
    donation: 'form.donationLead',
    test: 'form.testLead',
    check: null,
  }[step]
  return (
    <>
      <p className={classes.steps}>
        {known
          ? t('form.step', { number: at + navigationConstants.stepperStartIndex, count: steps.length })
          : t('form.stepFirst')}
      </p>
      <div className={classes.bar} aria-hidden="true">
        {(known ? steps : stepKeys).map((key, index) => (
          <span key={key} data-done={index <= at || undefined} />
        ))}
      </div>
      <Title order={1} ref={heading} tabIndex={-1} className={classes.heading}>
        {t(`form.steps.${step}`)}
      </Title>
      {lead && (
        <Text c="dimmed" mt={4}>
          {t(lead as never)}
        </Text>
      )}
    </>
  )
}
