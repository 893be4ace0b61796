import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listAdmissionYears, type YearCopy } from '#domain/admission-year/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { AdjustmentInputs } from '#web/modules/fees/adjustment-inputs.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { useDoubleTapGuard } from '#web/ui/form/double-tap.ts'
import { DraftSaved } from '#web/ui/form/draft.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { StickyBar } from '#web/ui/sticky-bar.tsx'
import { StepCheck } from './step-check.tsx'
import { StepContents } from './step-contents.tsx'
import { StepDates } from './step-dates.tsx'
import { StepPrices } from './step-prices.tsx'
import { StepSource } from './step-source.tsx'
import { useYearWizard, type WizardStep, wizardSteps, type YearWizard } from './use-year-wizard.ts'
import classes from './year.module.css'
import { CopyCounts, UndoButton, YearCopies } from './year-copies.tsx'

/** Copies an admission year into a new one in several steps; only the last step writes. */
export default function NewYearPage() {
  const { t } = useTranslation('admission-year')
  const title = useScreenTitle()
  const [newCopy, setNewCopy] = useState<YearCopy | null>(null)
  const wizard = useYearWizard(setNewCopy)
  const years = useEndpoint(listAdmissionYears)
  const heading = useRef<HTMLHeadingElement>(null)
  const { step } = wizard
  const firstStep = useRef(step)
  useEffect(() => {
    if (firstStep.current === step) return
    firstStep.current = step
    heading.current?.focus()
    window.scrollTo({ top: 0 })
  }, [step])

  if (newCopy)
    return (
      <>
        <PageHeader title={title} />
        <Done copy={newCopy} onAgain={() => setNewCopy(null)} />
      </>
    )
  const stepIndex = wizardSteps.indexOf(step)
  const hasStarted = wizard.plan.sourceYear !== ''
  return (
    <>
      <PageHeader
        title={title}
        description={t('text')}
        actions={
          hasStarted && (
            <ConfirmButton variant="default" size="sm" message={t('againText')} onConfirm={wizard.startAgain}>
              {t('again')}
            </ConfirmButton>
          )
        }
      />
      <ol className={classes.steps} aria-label={t('steps.label')}>
        {wizardSteps.map((key, index) => (
          <li
            key={key}
            data-state={index < stepIndex ? 'done' : index === stepIndex ? 'now' : undefined}
            aria-current={index === stepIndex ? 'step' : undefined}
          >
            {hasStarted && index !== stepIndex ? (
              <button type="button" onClick={() => wizard.go(key)}>
                {t(`steps.${key}`)}
              </button>
            ) : (
              <span>{t(`steps.${key}`)}</span>
            )}
          </li>
        ))}
      </ol>
      <p className={classes.stepOf} aria-hidden="true">
        {t('steps.of', { number: stepIndex + 1, count: wizardSteps.length, name: t(`steps.${step}`) })}
      </p>
      <Title order={2} mb="sm" ref={heading} tabIndex={-1} className={classes.heading}>
        {t(`headings.${step}`)}
      </Title>
      {!years.data ? (
        <LoadingOrFailed error={years.error} onRetry={years.refetch} rows={5} />
      ) : (
        <div {...wizard.form.form}>
          <StepOf step={step} wizard={wizard} years={years.data.data.years} />
        </div>
      )}
      <Foot wizard={wizard} />
      {step === 'source' && years.data && years.data.data.copies.length > 0 && (
        <Stack mt="xl">
          <Card title={t('copies.title')}>
            <YearCopies copies={years.data.data.copies} />
          </Card>
        </Stack>
      )}
    </>
  )
}

type StepProps = { step: WizardStep; wizard: YearWizard; years: Parameters<typeof StepSource>[0]['years'] }

function StepOf({ step, wizard, years }: StepProps) {
  if (step === 'source') return <StepSource wizard={wizard} years={years} />
  if (step === 'dates') return <StepDates wizard={wizard} />
  if (step === 'contents') return <StepContents wizard={wizard} />
  if (step === 'prices') return <StepPrices wizard={wizard} Inputs={AdjustmentInputs} />
  return <StepCheck wizard={wizard} />
}

/** Buttons to the next and previous step; the last step has the button that writes. */
function Foot({ wizard }: { wizard: YearWizard }) {
  const { t } = useTranslation('admission-year')
  const { step, plan, yearPreview, draftStore, form } = wizard
  const tapGuard = useDoubleTapGuard(step)
  const stepIndex = wizardSteps.indexOf(step)
  const count = yearPreview?.sections.reduce((sum, section) => sum + section.count, 0) ?? 0
  const unseen = wizard.preview.error
  const failure = form.formError ?? (unseen && (Object.values(unseen.fieldMessages)[0] ?? unseen.message))
  const reason =
    !yearPreview || !wizard.upToDate
      ? t('write.reckoning')
      : yearPreview.problems.length > 0
        ? t('write.problems', { count: yearPreview.problems.length })
        : null
  return (
    <>
      <Failure>{failure}</Failure>
      <StickyBar style={tapGuard}>
        <DraftSaved savedAt={plan.sourceYear ? draftStore.savedAt : null} failed={draftStore.failed} />
        <Group gap="sm">
          {stepIndex > 0 && (
            <Button variant="default" onClick={() => wizard.go(wizardSteps[stepIndex - 1]!)}>
              {t('back')}
            </Button>
          )}
          {step === 'check' ? (
            <DisabledReason reason={reason} loading={form.busy} onClick={form.submit}>
              {t('write.button', { count })}
            </DisabledReason>
          ) : (
            <DisabledReason
              reason={plan.sourceYear ? null : t('source.choose')}
              onClick={() => form.isReady() && wizard.go(wizardSteps[stepIndex + 1]!)}
            >
              {t('next')}
            </DisabledReason>
          )}
        </Group>
      </StickyBar>
    </>
  )
}

function Done({ copy, onAgain }: { copy: YearCopy; onAgain: () => void }) {
  const { t } = useTranslation('admission-year')
  return (
    <Card title={t('done.title', { year: copy.academicYear })}>
      <Stack>
        <CopyCounts copy={copy} />
        <Text>{t('done.text')}</Text>
        <Group>
          <Button component={Link} to={`/master/periode?academicYear=${encodeURIComponent(copy.academicYear)}`}>
            {t('done.waves')}
          </Button>
          <UndoButton copy={copy} onDone={onAgain} />
          <Button variant="subtle" onClick={onAgain}>
            {t('done.again')}
          </Button>
        </Group>
      </Stack>
    </Card>
  )
}
