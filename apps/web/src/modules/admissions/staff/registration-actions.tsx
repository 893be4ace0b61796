import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { actionsFor } from '#domain/admissions/allowed-actions.ts'
import { readRegistration, readTimeline } from '#domain/admissions/endpoints.ts'
import { type BulkAction, bulkActions, type RequestedAction } from '#domain/admissions/registration-actions.ts'
import { canRun, type RegistrationStatus } from '#domain/admissions/registration-status.ts'
import type { RegistrationDetail } from '#domain/admissions/schemas.ts'
import { issueNumber } from '#domain/students/endpoints.ts'
import { keyOf } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import type { RowAction } from '#web/list/actions/row-action.ts'
import { useSession } from '#web/shell/session.tsx'
import { ActionDialog } from './action-dialog.tsx'
import { RegistrationsBulkDialog } from './bulk-dialog.tsx'
import { useBlockedSentence } from './use-blocked-sentence.ts'

/** Steps whose button is not filled: they go back or end the registration. */
const quiet: readonly RequestedAction[] = [
  'revertDecision',
  'revertConfirmation',
  'withdraw',
  'cancel',
  'revertWithdrawal',
  'reject',
]
/** Steps that refuse an applicant or end a registration. */
const dangerous: readonly RequestedAction[] = ['cancel', 'withdraw', 'reject']
const many: readonly RequestedAction[] = bulkActions
const hotkeys: { [A in RequestedAction]?: 'a' | 'r' } = { accept: 'a', reject: 'r' }

/** Statuses in which staff change the programme: before, the applicant edits the draft; after, the faculty decides. */
const changeable: readonly RegistrationStatus[] = ['submitted', 'paid', 'verified', 'decided', 'confirmed']

type Acted = { id: string; status: RegistrationStatus }

/**
 * What this member of staff may do to registrations: the steps of the table of transitions, issuing a number, changing
 * the programme. With `detail` for that registration, asking for all that a step needs; without it for rows of a list.
 */
export function useRegistrationActions(detail?: RegistrationDetail): RowAction<Acted>[] {
  const { t } = useTranslation('staff')
  const { may } = useSession()
  const queries = useQueryClient()
  const send = useSend(issueNumber)
  const sentence = useBlockedSentence()
  const refusal = (action: RequestedAction, status: RegistrationStatus) => {
    if (!canRun(action, status)) return sentence('wrong_status', { status })
    const verdict = detail?.actions.find((one) => one.action === action)
    return verdict && !verdict.allowed ? sentence(verdict.reason, verdict.params) : null
  }
  const issue = async ({ id }: Acted) => {
    try {
      const { data } = await send({ params: { registrationId: id }, body: {} })
      notifications.show({ color: 'green', message: t('detail.issued', { number: data.npm }) })
    } catch (error) {
      notifications.show({ color: 'red', message: (error as Error).message })
    }
    void queries.invalidateQueries({ queryKey: keyOf(readRegistration) })
    void queries.invalidateQueries({ queryKey: keyOf(readTimeline) })
  }
  const steps = actionsFor({ applicant: false, may })
    .filter((action) => detail || many.includes(action))
    .map((action): RowAction<Acted> => {
      const hotkey = hotkeys[action]
      const label = t(`detail.act.${action}`)
      const danger = dangerous.includes(action)
      return {
        key: action,
        label,
        main: !quiet.includes(action),
        danger,
        many: many.includes(action),
        ...(hotkey && { hotkey }),
        // Steps of another stage would only be noise; those of this one stay, with their reason.
        suits: ({ status }) => canRun(action, status),
        refusal: ({ status }) => refusal(action, status),
        dialog: (rows, ends) =>
          detail ? (
            <ActionDialog registration={detail} {...{ action, label, danger }} onClose={ends.onClose} />
          ) : (
            <RegistrationsBulkDialog act={action as BulkAction} {...{ label, danger, rows }} {...ends} />
          ),
      }
    })
  const numberLabel = t('detail.issueNumber')
  return [
    ...steps,
    {
      key: 'number',
      label: numberLabel,
      right: issueNumber.access,
      main: true,
      many: true,
      suits: ({ status }) => status === 'confirmed',
      ...(detail
        ? { run: issue }
        : {
            dialog: (rows, ends) => <RegistrationsBulkDialog act="number" label={numberLabel} rows={rows} {...ends} />,
          }),
    },
    {
      key: 'changeProgramme',
      label: t('detail.changeProgramme'),
      right: 'pindah-prodi-update',
      suits: ({ status }) => changeable.includes(status),
      href: ({ id }) => `/pindah-prodi/create?registrationId=${id}`,
    },
  ]
}
