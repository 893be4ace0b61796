import { Button, Checkbox, Group, Modal, Select, Stack, Text, Textarea } from '@mantine/core'
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
import { ApiError } from '#web/api/client.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import { useSession } from '#web/app/session.tsx'
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
  const [errors, setErrors] = useState<Record<string, string>>({})
  const refresh = () => {
    void queries.invalidateQueries({ queryKey: keyOf(readRegistration) })
    void queries.invalidateQueries({ queryKey: keyOf(readTimeline) })
    void queries.invalidateQueries({ queryKey: keyOf(readDecisionBasis) })
    void queries.invalidateQueries({ queryKey: keyOf(listRegistrations) })
  }
  const bodyOf = () => {
    if (action === 'accept')
      return {
        programmeId: programme === other ? elsewhere : programme,
        consent,
        ...(reason.trim() && { reason: reason.trim() }),
      }
    if (action === 'confirm') return { installmentPlanId: plan }
    return needsReason(action) ? { reason: reason.trim() } : {}
  }
  const take = useMutation({
    mutationFn: () => send({ params: { id: registration.id }, body: bodyOf() as never }),
    onSuccess: () => {
      notifications.show({ color: 'green', message: t('detail.done', { action: t(`detail.act.${action}`) }) })
      refresh()
      onClose()
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status === 422)
        return setErrors({ ...error.fieldMessages, form: error.message })
      if (error instanceof ApiError && error.code === 'decision_blocked') {
        refresh()
        return setErrors({ form: error.message })
      }
      if (error instanceof ApiError && error.status === 409) {
        notifications.show({ color: 'yellow', message: `${error.message} ${t('detail.changed')}` })
        refresh()
        return onClose()
      }
      setErrors({ form: error.message })
    },
  })
  const asksReason = needsReason(action) || action === 'accept'
  const submit = () => {
    const found: Record<string, string> = {}
    if (needsReason(action) && reason.trim().length < 3) found.reason = t('bulk.reasonNeeded')
    if (action === 'accept' && !(programme === other ? elsewhere : programme)) found.programmeId = t('common:required')
    setErrors(found)
    if (Object.keys(found).length === 0) take.mutate()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={`${t(`detail.act.${action}`)}: ${registration.applicant.name}`}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <Stack>
        {errors.form && (
          <Text c="red.9" role="alert">
            {errors.form}
          </Text>
        )}
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
              error={errors.programmeId}
            />
            {programme === other && (
              <>
                <OtherProgramme value={elsewhere} onChange={setElsewhere} />
                <Checkbox
                  label={t('detail.consent')}
                  checked={consent}
                  onChange={(event) => setConsent(event.currentTarget.checked)}
                  error={errors.consent}
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
          <Plan registrationId={registration.id} value={plan} onChange={setPlan} error={errors.installmentPlanId} />
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
            error={errors.reason}
            autosize
            minRows={2}
            maxLength={500}
            data-autofocus
          />
        )}
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

function OtherProgramme({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const { t } = useTranslation('staff')
  const { data, error } = useEndpoint(endpointsOf(getEntity('prodi')).options, { query: { per_page: 100 } })
  const missing = useMissing()
  return (
    <Select
      label={t('detail.otherProgramme')}
      searchable
      data={(data?.data ?? []).map(({ id, title }) => ({ value: id, label: title }))}
      value={value}
      onChange={onChange}
      error={missing(t('detail.otherProgramme'), error)}
    />
  )
}

type PlanProps = { registrationId: string; value: string | null; onChange: (id: string | null) => void; error?: string }

function Plan({ registrationId, value, onChange, error }: PlanProps) {
  const { t } = useTranslation('staff')
  const { data, error: failure } = useEndpoint(quoteReRegistration, { params: { id: registrationId } })
  const missing = useMissing()
  return (
    <Select
      label={t('detail.plan')}
      data={(data?.data.plans ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={onChange}
      error={error ?? missing(t('detail.plan'), failure)}
    />
  )
}
