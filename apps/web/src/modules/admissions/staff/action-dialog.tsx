import { Button, Checkbox, Group, Modal, Select, Stack, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  actionEndpoints,
  listRegistrations,
  readDecisionBasis,
  readRegistration,
  readTimeline,
} from '#domain/admissions/endpoints.ts'
import { needsReason, type RequestedAction } from '#domain/admissions/registration-actions.ts'
import type { RegistrationDetail } from '#domain/admissions/schemas.ts'
import { quoteReRegistration } from '#domain/payments/endpoints.ts'
import { endpointsOf } from '#entities/endpoints.ts'
import { getEntity } from '#entities/index.ts'
import type { ApiError } from '#web/api/client.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import { type Checks, useChecks } from '#web/api/use-checks.ts'
import { useSession } from '#web/app/session.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { useMissing } from '#web/ui/missing.tsx'
import { DecisionBasis } from './decision-basis.tsx'

type Props = { registration: RegistrationDetail; action: RequestedAction; onClose: () => void }

const other = 'other'

/** Asks what a step needs (a programme, a reason, a plan) and takes it. */
export function ActionDialog({ registration, action, onClose }: Props) {
  const send = useSend(actionEndpoints[action])
  const { t } = useTranslation(['staff', 'common'])
  const queries = useQueryClient()
  const { may } = useSession()
  const [programme, setProgramme] = useState<string | null>(registration.choices[0]?.id ?? null)
  const [elsewhere, setElsewhere] = useState<string | null>(null)
  const [consent, setConsent] = useState(false)
  const [plan, setPlan] = useState<string | null>(registration.installmentPlanId)
  const [reason, setReason] = useState('')
  const refresh = () => {
    void queries.invalidateQueries({ queryKey: keyOf(readRegistration) })
    void queries.invalidateQueries({ queryKey: keyOf(readTimeline) })
    void queries.invalidateQueries({ queryKey: keyOf(readDecisionBasis) })
    void queries.invalidateQueries({ queryKey: keyOf(listRegistrations) })
  }
  const bodyOf = () => {
    if (action === 'accept')
      return {
        programmeId: (programme === other ? elsewhere : programme) ?? undefined,
        consent,
        ...(reason.trim() && { reason: reason.trim() }),
      }
    if (action === 'confirm') return { installmentPlanId: plan }
    return needsReason(action) ? { reason: reason.trim() } : {}
  }
  const body = bodyOf()
  const take = useMutation<unknown, ApiError>({
    mutationFn: () => send({ params: { id: registration.id }, body: body as never }),
    onSuccess: () => {
      notifications.show({ color: 'green', message: t('detail.done', { action: t(`detail.act.${action}`) }) })
      refresh()
      onClose()
    },
    onError: (error) => {
      if (error.status !== 409) return
      refresh()
      if (error.code === 'decision_blocked') return
      notifications.show({ color: 'yellow', message: `${error.message} ${t('detail.changed')}` })
      onClose()
    },
  })
  const checks = useChecks(actionEndpoints[action], body, { refusal: take.error })
  const asksReason = needsReason(action) || action === 'accept'
  const submit = () => !take.isPending && checks.isReady() && take.mutate()
  return (
    <Modal
      opened
      onClose={onClose}
      title={`${t(`detail.act.${action}`)}: ${registration.applicant.name}`}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <Stack {...checks.form}>
        {action === 'accept' && (
          <>
            <Select
              label={t('detail.acceptFor')}
              data={[
                ...registration.choices.map(({ id, name, position }) => ({ value: id, label: `${position}. ${name}` })),
                { value: other, label: t('detail.otherProgramme') },
              ]}
              value={programme}
              onChange={setProgramme}
              allowDeselect={false}
              {...(programme !== other && checks.field('programmeId'))}
            />
            {programme === other && (
              <>
                <OtherProgramme value={elsewhere} onChange={setElsewhere} {...checks.field('programmeId')} />
                <Checkbox
                  label={t('detail.consent')}
                  checked={consent}
                  onChange={(event) => setConsent(event.currentTarget.checked)}
                  {...checks.field('consent')}
                />
              </>
            )}
          </>
        )}
        {(action === 'accept' || action === 'reject') && may('pendaftaran-decide') && (
          <DecisionBasis
            registrationId={registration.id}
            programmeId={action === 'reject' ? null : programme === other ? elsewhere : programme}
          />
        )}
        {action === 'confirm' && (
          <Plan
            registrationId={registration.id}
            value={plan}
            onChange={setPlan}
            {...checks.field('installmentPlanId')}
          />
        )}
        {asksReason && (
          <Textarea
            label={
              action === 'reject'
                ? t('bulk.reason')
                : `${t('staff:reason')}${needsReason(action) ? '' : ` (${t('common:optional')})`}`
            }
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            {...checks.field('reason')}
            autosize
            minRows={2}
            maxLength={500}
            data-autofocus
          />
        )}
        <Failure>{checks.unsaid}</Failure>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:actions.cancel')}
          </Button>
          <Button
            loading={take.isPending}
            onClick={submit}
            color={['cancel', 'withdraw', 'reject'].includes(action) ? 'red.9' : undefined}
          >
            {t(`detail.act.${action}`)}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

type Choice = ReturnType<Checks['field']> & { value: string | null; onChange: (id: string | null) => void }

function OtherProgramme({ error, ...select }: Choice) {
  const { t } = useTranslation('staff')
  const { data, error: failure } = useEndpoint(endpointsOf(getEntity('prodi')).options, { query: { per_page: 100 } })
  const missing = useMissing()
  return (
    <Select
      label={t('detail.otherProgramme')}
      searchable
      data={(data?.data ?? []).map(({ id, title }) => ({ value: id, label: title }))}
      {...select}
      error={error ?? missing(t('detail.otherProgramme'), failure)}
    />
  )
}

function Plan({ registrationId, error, ...select }: Choice & { registrationId: string }) {
  const { t } = useTranslation('staff')
  const { data, error: failure } = useEndpoint(quoteReRegistration, { params: { id: registrationId } })
  const missing = useMissing()
  return (
    <Select
      label={t('detail.plan')}
      data={(data?.data.plans ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      {...select}
      error={error ?? missing(t('detail.plan'), failure)}
    />
  )
}
