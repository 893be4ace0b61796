import { Alert, Checkbox, Select, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
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
  const start = {
    picked: (registration.choices[0]?.id ?? null) as string | null,
    /** A programme that is none of the choices. */
    programmeId: null as string | null,
    consent: false,
    installmentPlanId: registration.installmentPlanId,
    reason: '',
  }
  const bodyOf = ({ picked, programmeId, consent, installmentPlanId, reason }: typeof start) => {
    if (action === 'accept')
      return {
        programmeId: (picked === otherOption ? programmeId : picked) ?? undefined,
        consent,
        ...(reason.trim() && { reason: reason.trim() }),
      }
    if (action === 'confirm') return { installmentPlanId }
    return needsReason(action) ? { reason: reason.trim() } : {}
  }
  const form = useForm({
    call: actionEndpoints[action],
    params: { id: registration.id },
    start,
    body: (values: typeof start) => bodyOf(values),
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
  const { picked, programmeId } = form.values
  const isOther = picked === otherOption
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
            value={picked}
            onChange={(choice) => form.set({ picked: choice })}
            allowDeselect={false}
            {...(!isOther && form.field('programmeId'))}
          />
          {isOther && (
            <>
              <OtherProgramme {...form.value('programmeId')} />
              <Checkbox label={t('detail.consent')} {...form.box('consent')} />
            </>
          )}
        </>
      )}
      {(action === 'accept' || action === 'reject') && may('pendaftaran-decide') && (
        <DecisionBasis
          registrationId={registration.id}
          programmeId={action === 'reject' ? null : isOther ? programmeId : picked}
        />
      )}
      {action === 'revertDecision' && registration.decision && (
        <Alert color={registration.decision.published ? 'orange' : 'blue'} variant="light">
          {t(registration.decision.published ? 'detail.revertShown' : 'detail.revertHidden')}
        </Alert>
      )}
      {action === 'confirm' && <Plan registrationId={registration.id} {...form.value('installmentPlanId')} />}
      {asksReason && (
        <Textarea
          label={
            action === 'reject'
              ? t('bulk.reason')
              : `${t('staff:reason')}${needsReason(action) ? '' : ` (${t('common:optional')})`}`
          }
          autosize
          minRows={2}
          data-autofocus
          {...form.text('reason')}
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
