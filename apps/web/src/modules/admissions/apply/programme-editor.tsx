import { Button, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { readIntakeOptions } from '#domain/admissions/endpoints.ts'
import type { RegistrationDetail } from '#domain/admissions/schemas.ts'
import { rupiah } from '#locales/format.ts'
import { ApiError } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { isApplicant } from '#web/modules/admissions/dashboard/next-step.ts'
import classes from '#web/modules/admissions/registration/registration-overview.module.css'
import { useRefreshRegistrations } from '#web/modules/admissions/registration/use-registration.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { Money } from '#web/ui/text/money.tsx'
import quiet from '#web/ui/text/quiet.module.css'
import { DonationField } from './donation-field.tsx'
import { ProgrammeChoices } from './programme-choices.tsx'
import { donationRuleOf, fitToOptions, formOf, problemOf } from './registration-form.ts'
import { useRegistrationChecks, useSaveForm } from './use-registration-form.ts'

type Props = { registration: RegistrationDetail }

/** Class, study programmes and donation: editable in a draft, read-only afterwards. */
export function ProgrammeEditor({ registration }: Props) {
  return registration.status === 'draft' ? (
    <Editor registration={registration} />
  ) : (
    <ReadOnlyProgrammes registration={registration} />
  )
}

function Editor({ registration }: Props) {
  const { t } = useTranslation(['registration', 'common'])
  const [form, setForm] = useState(() => formOf(registration))
  const [failure, setFailure] = useState<ApiError>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const save = useSaveForm()
  const viewerIsApplicant = isApplicant(useSession().user?.role.name)
  const navigate = useNavigate()
  const refresh = useRefreshRegistrations()
  const { data, error, refetch } = useEndpoint(readIntakeOptions, {
    query: { waveId: registration.wave.id, trackId: registration.track.id },
  })
  const options = data?.data
  useEffect(() => {
    if (options) setForm((previous) => fitToOptions(previous, options))
  }, [options])

  const checks = useRegistrationChecks({ form, options, refusal: failure })

  const saveForm = async (andSubmit: boolean) => {
    if (!checks.isReady()) return
    const firstProblem = problemOf('programme', form, options) ?? problemOf('donation', form, options)
    if (firstProblem) return setProblem(t(firstProblem.key, { amount: rupiah(firstProblem.minimum ?? 0) }))
    setProblem(undefined)
    setFailure(undefined)
    setBusy(true)
    try {
      await save(form, t('form.switched'))
      await refresh()
      if (andSubmit) return navigate(`/pendaftaran/create?id=${registration.id}&step=check`)
      notifications.show({ color: 'green', message: t('detail.saved') })
    } catch (error) {
      setFailure(error instanceof ApiError ? error : new ApiError(0, 'unknown', t('form.notSaved')))
    } finally {
      setBusy(false)
    }
  }

  if (!options) return <LoadingOrFailed error={error} onRetry={refetch} rows={4} height={72} />
  return (
    <PageForm
      form={{ form: checks.form, formError: problem ?? checks.formError, busy, submit: () => void saveForm(false) }}
      submit={t('detail.save')}
      gap="lg"
      maw={640}
      beside={
        viewerIsApplicant && (
          <Button variant="default" onClick={() => void saveForm(true)} disabled={busy}>
            {t('act.submit')}
          </Button>
        )
      }
    >
      <Card title={t('form.steps.programme')}>
        <ProgrammeChoices options={options} form={form} onChange={setForm} checks={checks} />
      </Card>
      {registration.track.asksDonation && (
        <Card title={t('form.steps.donation')}>
          <DonationField
            rule={donationRuleOf(options, form)}
            value={form.donationAmount}
            isOther={form.isOtherDonation ?? false}
            onChange={(donationAmount, isOtherDonation) =>
              setForm((previous) => ({ ...previous, donationAmount, isOtherDonation }))
            }
            {...checks.field('donationAmount')}
          />
        </Card>
      )}
    </PageForm>
  )
}

function ReadOnlyProgrammes({ registration }: Props) {
  const { t } = useTranslation('registration')
  const { choices, entryLevel, classProgramme, donationAmount, track, acceptedProgramme } = registration
  return (
    <Card title={t('form.steps.programme')}>
      <Stack gap="md">
        <Text c="dimmed">{t('detail.locked')}</Text>
        <dl className={classes.facts}>
          {acceptedProgramme && (
            <>
              <dt>{t('result.accepted')}</dt>
              <dd style={{ fontWeight: 650 }}>{acceptedProgramme.name}</dd>
            </>
          )}
          {choices.map((choice) => (
            <div key={choice.id} style={{ display: 'contents' }}>
              <dt>{choice.position === 1 ? t('form.firstChoice') : t('form.choice', { position: choice.position })}</dt>
              <dd>
                {choice.name}
                <br />
                <span className={quiet.text}>{choice.facultyName}</span>
              </dd>
            </div>
          ))}
          <dt>{t('form.entryLevel')}</dt>
          <dd>{entryLevel.name}</dd>
          <dt>{t('detail.class')}</dt>
          <dd>{classProgramme.name}</dd>
          {track.asksDonation && (
            <>
              <dt>{t('detail.donation')}</dt>
              <dd>{donationAmount ? <Money amount={donationAmount} /> : t('detail.noDonation')}</dd>
            </>
          )}
        </dl>
      </Stack>
    </Card>
  )
}
