import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { readRegistration, readTimeline } from '#domain/admissions/endpoints.ts'
import type { RequestedAction } from '#domain/admissions/registration-actions.ts'
import { registrationTransitions } from '#domain/admissions/registration-status.ts'
import type { RegistrationDetail } from '#domain/admissions/schemas.ts'
import { issueNumber } from '#domain/students/endpoints.ts'
import { keyOf } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import { useSession } from '#web/shell/session.tsx'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { ActionDialog } from './action-dialog.tsx'
import { useBlockedSentence } from './use-blocked-sentence.ts'

/** What is usually done next stands first and filled; going back and closing come quietly after. */
const quiet: readonly RequestedAction[] = [
  'revertDecision',
  'revertConfirmation',
  'withdraw',
  'cancel',
  'revertWithdrawal',
  'reject',
]

/** A draft is changed by the applicant, a student by the faculty. */
const changeable: readonly string[] = ['submitted', 'paid', 'verified', 'decided', 'confirmed']

/** One button per step this member of staff may take; one that is not possible now tells why. */
export function StaffActions({ registration }: { registration: RegistrationDetail }) {
  const send = useSend(issueNumber)
  const { t } = useTranslation('staff')
  const { may } = useSession()
  const queries = useQueryClient()
  const sentence = useBlockedSentence()
  const [asked, setAsked] = useState<RequestedAction | null>(null)
  const number = useMutation({
    mutationFn: () => send({ params: { registrationId: registration.id }, body: {} }),
    onSuccess: ({ data }) => notifications.show({ color: 'green', message: t('detail.issued', { number: data.npm }) }),
    onError: (error) => notifications.show({ color: 'red', message: error.message }),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: keyOf(readRegistration) })
      void queries.invalidateQueries({ queryKey: keyOf(readTimeline) })
    },
  })
  const shown = registration.actions.filter(({ action, allowed }) => {
    const { by, access } = registrationTransitions[action]
    if (!(by as readonly string[]).includes('staff') || !access || !may(access)) return false
    // Steps of another stage would only be noise; those of this one stay, with their reason.
    return allowed || (registrationTransitions[action].from as readonly string[]).includes(registration.status)
  })
  return (
    <Group gap="xs" role="group" aria-label={t('detail.actionsTitle')}>
      {shown.map(({ action, allowed, reason, params }) => (
        <DisabledReason
          key={action}
          size="sm"
          variant={quiet.includes(action) ? 'default' : 'filled'}
          reason={allowed ? null : sentence(reason, params)}
          onClick={() => setAsked(action)}
        >
          {t(`detail.act.${action}`)}
        </DisabledReason>
      ))}
      {registration.status === 'confirmed' && may('npm-mahasiswa-update') && (
        <DisabledReason size="sm" loading={number.isPending} onClick={() => number.mutate()}>
          {t('detail.issueNumber')}
        </DisabledReason>
      )}
      {changeable.includes(registration.status) && may('pindah-prodi-update') && (
        <Button
          component={Link}
          to={`/pindah-prodi/create?registrationId=${registration.id}`}
          size="sm"
          variant="default"
          children={t('detail.changeProgramme')}
        />
      )}
      {asked && <ActionDialog registration={registration} action={asked} onClose={() => setAsked(null)} />}
    </Group>
  )
}
