import { useTranslation } from 'react-i18next'
import { actionsFor } from '#domain/admissions/allowed-actions.ts'
import { readRegistration, readTimeline } from '#domain/admissions/endpoints.ts'
import { extendOffer } from '#domain/admissions/offer-endpoints.ts'
import { canRun, type RegistrationStatus } from '#domain/admissions/registration-status.ts'
import { type BulkAction, bulkActions, type RequestedAction } from '#domain/admissions/requested-actions.ts'
import type { RegistrationDetail } from '#domain/admissions/schemas.ts'
import { issueNumber } from '#domain/students/endpoints.ts'
import { keyOf } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import type { Hotkey, RowAction } from '#web/list/actions/row-action.ts'
import { DeadlineDialog } from '#web/modules/admissions/offers/offer-dialogs.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { ActionDialog } from './action-dialog.tsx'
import { RegistrationsBulkDialog } from './bulk-dialog.tsx'
import { useBlockedSentence } from './use-blocked-sentence.ts'

/** Actions with an outlined button, because they go back or end the registration. */
const outlinedActions: readonly RequestedAction[] = [
  'revertDecision',
  'revertConfirmation',
  'decline',
  'withdraw',
  'cancel',
  'revertWithdrawal',
  'reject',
]
/** Actions that refuse an applicant or end a registration. */
const dangerousActions: readonly RequestedAction[] = ['cancel', 'withdraw', 'decline', 'reject']
const selectionActions: readonly RequestedAction[] = bulkActions
/** A and R judge documents; decisions about a person have other keys, which open a dialog. */
const hotkeys: { [A in RequestedAction]?: Hotkey } = { accept: 'y', reject: 'n' }

/**
 * Statuses in which staff may change the programme. Before, the applicant edits the draft; after, the faculty decides.
 */
const changeableStatuses: readonly RegistrationStatus[] = ['submitted', 'paid', 'verified', 'decided', 'confirmed']

/** A registration, or its list row, which also shows whether documents block its verification. */
type ActionRow = { id: string; status: RegistrationStatus; documentsSettled?: boolean }

/**
 * Actions this user may run on registrations: transitions, issuing a student number, changing the programme. With
 * `detail`, for that registration with all inputs; without it, for list rows.
 */
export function useRegistrationActions(detail?: RegistrationDetail): RowAction<ActionRow>[] {
  const { t } = useTranslation(['staff', 'offers'])
  const { may } = useSession()
  const { act } = useAction(keyOf(readRegistration), keyOf(readTimeline))
  const blockedSentence = useBlockedSentence()
  const refusal = (action: RequestedAction, { status, documentsSettled }: ActionRow) => {
    if (!canRun(action, status)) return blockedSentence('wrong_status', { status })
    if (action === 'verify' && documentsSettled === false) return blockedSentence('documents_incomplete')
    const verdict = detail?.actions.find((entry) => entry.action === action)
    return verdict && !verdict.allowed ? blockedSentence(verdict.reason, verdict.params) : null
  }
  const issueStudentNumber = ({ id }: ActionRow) =>
    act(
      'number',
      () => sendOnce(issueNumber, { params: { registrationId: id }, body: {} }),
      ({ data }) => t('detail.issued', { number: data.npm }),
    )
  const steps = actionsFor({ applicant: false, may })
    .filter((action) => detail || selectionActions.includes(action))
    .map((action): RowAction<ActionRow> => {
      const hotkey = hotkeys[action]
      const label = t(`detail.act.${action}`)
      const danger = dangerousActions.includes(action)
      return {
        key: action,
        label,
        main: !outlinedActions.includes(action),
        danger,
        many: selectionActions.includes(action),
        ...(hotkey && { hotkey }),
        // Hides actions of other stages; keeps blocked actions of this stage so that their reason can be read.
        suits: ({ status }) => canRun(action, status),
        refusal: (row) => refusal(action, row),
        dialog: (rows, dialogEnds) =>
          detail ? (
            <ActionDialog registration={detail} {...{ action, label, danger }} onClose={dialogEnds.onClose} />
          ) : (
            <RegistrationsBulkDialog act={action as BulkAction} {...{ label, danger, rows }} {...dialogEnds} />
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
        ? { run: issueStudentNumber }
        : {
            dialog: (rows, dialogEnds) => (
              <RegistrationsBulkDialog act="number" label={numberLabel} rows={rows} {...dialogEnds} />
            ),
          }),
    },
    ...(detail?.result === 'accepted'
      ? (['extend', 'reopen'] as const).map(
          (act): RowAction<ActionRow> => ({
            key: act,
            label: t(`offers:act.${act}`),
            right: extendOffer.access,
            main: act === 'reopen',
            suits: ({ status }) => status === (act === 'extend' ? 'decided' : 'expired'),
            dialog: (_rows, dialogEnds) => (
              <DeadlineDialog
                act={act}
                offer={{ id: detail.id, name: detail.applicant.name, dueAt: detail.window.confirmationDueAt }}
                {...dialogEnds}
              />
            ),
          }),
        )
      : []),
    {
      key: 'changeProgramme',
      label: t('detail.changeProgramme'),
      right: 'pindah-prodi-update',
      suits: ({ status }) => changeableStatuses.includes(status),
      href: ({ id }) => `/pindah-prodi/create?registrationId=${id}`,
    },
  ]
}
