import { Alert, Checkbox, Select, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { actionEndpoints } from '#domain/admissions/endpoints.ts'
import { needsReason, type RequestedAction } from '#domain/admissions/requested-actions.ts'
import type { RegistrationDetail } from '#domain/admissions/schemas.ts'
import { quoteReRegistration } from '#domain/payments/bills/endpoints.ts'
import { endpointsOf } from '#entities/endpoints.ts'
import { getEntity } from '#entities/index.ts'
import { useEndpoint } from '#web/api/query.ts'
import type { CheckedField } from '#web/api/use-checks.ts'
import { useForm } from '#web/api/use-form.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { useMissing } from '#web/ui/states/missing.tsx'
import { DecisionBasis } from './decision-basis.tsx'

type Props = {
  registration: RegistrationDetail
  action: RequestedAction
  label: string
  danger: boolean
  onClose: () => void
}

const otherOption = 'other'

/** Asks for an action's input (a programme, a reason, a plan) and runs it. */
export function ActionDialog({ registration, action, label, danger, onClose }: Props) {
  const { t } = useTranslation(['staff', 'common'])
  const queries = useQueryClient()
  const { may } = useSession()
  const [programme, setProgramme] = useState<string | null>(registration.choices[0]?.id ?? null)
  const [otherProgrammeId, setOtherProgrammeId] = useState<string | null>(null)
  const [consent, setConsent] = useState(false)
  const [plan, setPlan] = useState<string | null>(registration.installmentPlanId)
  const [reason, setReason] = useState('')
  const bodyOf = () => {
    if (action === 'accept')
      return {
        programmeId: (programme === otherOption ? otherProgrammeId : programme) ?? undefined,
        consent,
        ...(reason.trim() && { reason: reason.trim() }),
      }
    if (action === 'confirm') return { installmentPlanId: plan }
    return needsReason(action) ? { reason: reason.trim() } : {}
  }
  const form = useForm({
    call: actionEndpoints[action],
    params: { id: registration.id },
    body: bodyOf() as never,
    done: t('detail.done', { action: label }),
    onDone: onClose,
    onRefused: (error) => {
      if (error.status !== 409) return
      void queries.invalidateQueries()
      if (error.code === 'decision_blocked') return
      notifications.show({ color: 'yellow', message: `${error.message} ${t('detail.changed')}` })
      onClose()
    },
  })
  const asksReason = needsReason(action) || action === 'accept'
  return (
    <DialogForm
      form={form}
      title={`${label}: ${registration.applicant.name}`}
      submit={label}
      button={danger ? { color: 'red.9' } : {}}
      onClose={onClose}
    >
      {action === 'accept' && (
        <>
          <Select
            label={t('detail.acceptFor')}
            data={[
              ...registration.choices.map(({ id, name, position }) => ({ value: id, label: `${position}. ${name}` })),
              { value: otherOption, label: t('detail.otherProgramme') },
            ]}
            value={programme}
            onChange={setProgramme}
            allowDeselect={false}
            {...(programme !== otherOption && form.field('programmeId'))}
          />
          {programme === otherOption && (
            <>
              <OtherProgramme value={otherProgrammeId} onChange={setOtherProgrammeId} {...form.field('programmeId')} />
              <Checkbox
                label={t('detail.consent')}
                checked={consent}
                onChange={(event) => setConsent(event.currentTarget.checked)}
                {...form.field('consent')}
              />
            </>
          )}
        </>
      )}
      {(action === 'accept' || action === 'reject') && may('pendaftaran-decide') && (
        <DecisionBasis
          registrationId={registration.id}
          programmeId={action === 'reject' ? null : programme === otherOption ? otherProgrammeId : programme}
        />
      )}
      {action === 'revertDecision' && registration.decision && (
        <Alert color={registration.decision.published ? 'orange' : 'blue'} variant="light">
          {t(registration.decision.published ? 'detail.revertShown' : 'detail.revertHidden')}
        </Alert>
      )}
      {action === 'confirm' && (
        <Plan registrationId={registration.id} value={plan} onChange={setPlan} {...form.field('installmentPlanId')} />
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
          {...form.field('reason')}
          autosize
          minRows={2}
          data-autofocus
        />
      )}
    </DialogForm>
  )
}

type Choice = CheckedField & { value: string | null; onChange: (id: string | null) => void }

function OtherProgramme({ error, ...selectProps }: Choice) {
  const { t } = useTranslation('staff')
  const { data, error: failure } = useEndpoint(endpointsOf(getEntity('prodi')).options, { query: { per_page: 100 } })
  const missing = useMissing()
  return (
    <Select
      label={t('detail.otherProgramme')}
      searchable
      data={(data?.data ?? []).map(({ id, title }) => ({ value: id, label: title }))}
      {...selectProps}
      error={error ?? missing(t('detail.otherProgramme'), failure)}
    />
  )
}

function Plan({ registrationId, error, ...selectProps }: Choice & { registrationId: string }) {
  const { t } = useTranslation('staff')
  const { data, error: failure } = useEndpoint(quoteReRegistration, { params: { id: registrationId } })
  const missing = useMissing()
  return (
    <Select
      label={t('detail.plan')}
      data={(data?.data.plans ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      {...selectProps}
      error={error ?? missing(t('detail.plan'), failure)}
    />
  )
}
