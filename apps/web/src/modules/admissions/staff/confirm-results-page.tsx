import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { readDashboard } from '#domain/admissions/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import classes from '#web/modules/admissions/dashboard/own-registrations.module.css'
import { LetterButton } from '#web/modules/admissions/registration/letter-button.tsx'
import { useConfirm, useRegistration } from '#web/modules/admissions/registration/use-registration.ts'
import { useResultSeen } from '#web/modules/admissions/registration/use-result-seen.ts'
import { DeclineButton } from '#web/modules/admissions/registration/withdraw-button.tsx'
import { useDue, useStepParams } from '#web/modules/admissions/use-due.ts'
import {
  InstallmentPlanPicker,
  type PlanChoice,
  usePlanText,
} from '#web/modules/payments/bills/installment-plan-picker.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'

/** Places the applicant was accepted for; each is confirmed with an instalment plan. */
export default function ConfirmResultsPage() {
  const { t } = useTranslation('registration')
  const { data, error, refetch } = useEndpoint(readDashboard)
  const registrations = data?.data.kind === 'applicant' ? data.data.registrations : []
  const acceptedRegistrations = registrations.filter(
    ({ result, status }) => result === 'accepted' && status === 'decided',
  )
  const confirmedRegistrations = registrations.filter(({ status }) => status === 'confirmed' || status === 'enrolled')
  const waitingRegistrations = registrations.filter(
    ({ result, status }) => result === 'waiting' && (status === 'paid' || status === 'verified'),
  )
  const endedRegistrations = registrations.filter(
    ({ result, status }) => result === 'accepted' && (status === 'withdrawn' || status === 'expired'),
  )
  return (
    <div className={classes.page}>
      <PageHeader
        title={t('confirm.title')}
        description={acceptedRegistrations.length > 0 ? t('confirm.lead') : undefined}
      />
      {!data && <LoadingOrFailed error={error} onRetry={refetch} rows={3} height={88} />}
      <Stack gap="lg">
        {data && acceptedRegistrations.length === 0 && confirmedRegistrations.length === 0 && (
          <Card>
            <EmptyState title={t('confirm.empty')}>
              <Text c="dimmed">
                {waitingRegistrations[0]
                  ? t('confirm.waitingHint', { code: waitingRegistrations[0].code })
                  : endedRegistrations.length === 0 && t('confirm.emptyHint')}
              </Text>
              <Button component={Link} to="/dashboard" variant="default">
                {t('common:toDashboard')}
              </Button>
            </EmptyState>
          </Card>
        )}
        {acceptedRegistrations.map(({ id }) => (
          <PlaceToConfirm key={id} registrationId={id} />
        ))}
        {endedRegistrations.length > 0 && (
          <Card title={t('confirm.endedList')}>
            <Stack gap="sm">
              {endedRegistrations.map(({ id, code, programme, status }) => (
                <div key={id}>
                  <Anchor component={Link} to={`/pendaftaran/${id}`} fw={600}>
                    {programme}
                  </Anchor>
                  <Text size="sm" c="dimmed">
                    {code} · {t(`confirm.ended.${status as 'expired'}`)}
                  </Text>
                </div>
              ))}
            </Stack>
          </Card>
        )}
        {confirmedRegistrations.length > 0 && (
          <Card title={t('confirm.confirmedList')}>
            <Stack gap="sm">
              {confirmedRegistrations.map(({ id, code, programme }) => (
                <div key={id}>
                  <Anchor component={Link} to={`/pendaftaran/${id}`} fw={600}>
                    {programme}
                  </Anchor>
                  <Text size="sm" c="dimmed">
                    {code}
                  </Text>
                  <LetterButton registration={{ id, code }} />
                </div>
              ))}
            </Stack>
          </Card>
        )}
      </Stack>
    </div>
  )
}

function PlaceToConfirm({ registrationId }: { registrationId: string }) {
  const { t } = useTranslation(['registration', 'admissions'])
  const navigate = useNavigate()
  const due = useDue()
  const params = useStepParams()
  const { data, error, refetch } = useRegistration(registrationId)
  const confirm = useConfirm(registrationId)
  const [plan, setPlan] = useState<PlanChoice>()
  const planText = usePlanText(registrationId, plan)
  const [isPlanMissing, setPlanMissing] = useState(false)
  useResultSeen(data?.data)
  if (!data) return <LoadingOrFailed error={error} onRetry={refetch} rows={4} height={72} />
  const registration = data?.data
  if (!registration) return null
  const programme = registration.acceptedProgramme?.name ?? ''
  const step = registration.actions.find(({ action }) => action === 'confirm')
  const { confirmationDueAt } = registration.window
  const confirmPlace = async () => {
    await confirm.mutateAsync(plan ?? null)
    notifications.show({ color: 'green', message: t('confirm.done') })
    navigate(`/pendaftaran/${registrationId}/pembayaran`)
  }
  return (
    <Card title={programme}>
      <Stack gap="lg">
        <div>
          <Text c="dimmed">
            {registration.code} · {registration.track.name} · {registration.classProgramme.name}
          </Text>
          {confirmationDueAt && <Text fw={600}>{t('confirm.before', { due: due(confirmationDueAt) })}</Text>}
        </div>
        {step?.allowed ? (
          <>
            <InstallmentPlanPicker
              registrationId={registrationId}
              value={plan}
              onChange={setPlan}
              disabled={confirm.isPending}
              error={isPlanMissing && !planText ? t('confirm.choosePlan') : undefined}
            />
            {confirm.isError && (
              <Alert color="red" role="alert">
                {confirm.error.message}
              </Alert>
            )}
            <Group>
              {planText ? (
                <ConfirmButton
                  size="lg"
                  title={t('confirm.dialogTitle', { programme })}
                  message={
                    <>
                      <Text>{t('confirm.dialogText', { programme })}</Text>
                      <Text fw={600}>{planText}</Text>
                    </>
                  }
                  onConfirm={confirmPlace}
                >
                  {t('confirm.button')}
                </ConfirmButton>
              ) : (
                <Button size="lg" onClick={() => setPlanMissing(true)}>
                  {t('confirm.button')}
                </Button>
              )}
              <DeclineButton registration={registration} size="lg" />
              <LetterButton registration={registration} size="lg" />
            </Group>
          </>
        ) : (
          <div>
            <DisabledReason
              size="lg"
              reason={
                step?.reason
                  ? t(`admissions:blocked.${step.reason}`, params({ dueAt: null, params: step.params }))
                  : t('common:notPossible')
              }
            >
              {t('confirm.button')}
            </DisabledReason>
            {step?.reason && <Text mt="xs">{t(`admissions:blocked.${step.reason}`)}</Text>}
          </div>
        )}
      </Stack>
    </Card>
  )
}
