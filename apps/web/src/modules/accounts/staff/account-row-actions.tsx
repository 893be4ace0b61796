import { notifications } from '@mantine/notifications'
import { IconEye, IconLock, IconLockOpen, IconLogout } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import {
  type AccountBulkAction,
  type AccountDetail,
  type AccountRow,
  deactivateAccount,
  reactivateAccount,
  runAccountsBulk,
  seeAs,
} from '#domain/accounts/staff-endpoints.ts'
import { sendOnce } from '#web/api/send.ts'
import type { RowAction } from '#web/list/actions/row-action.ts'
import { seeAs as goOnAs } from '#web/shell/session/see-as.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { ConfirmDialog } from '#web/ui/confirm-button.tsx'
import { AccountsBulkDialog } from './bulk-dialog.tsx'
import { useAccountActions } from './use-account-actions.ts'

type Acted = Pick<AccountRow, 'id' | 'name' | 'active'>

const icons = { deactivate: IconLock, reactivate: IconLockOpen, 'end-sessions': IconLogout }
const suitsByAction: { [A in AccountBulkAction]?: (account: Acted) => boolean } = {
  deactivate: ({ active }) => active,
  reactivate: ({ active }) => !active,
}

/** Row actions in the list of accounts: deactivate, reactivate, sign out, view the product as this account. */
export function useAccountRowActions(): RowAction<Acted>[] {
  const standing = useStandingActions()
  return [...standing, useSeeAsAction()]
}

/** Actions on a page's account, with the reason if refused. */
export function useAccountPageActions(account: AccountDetail): RowAction<Acted>[] {
  const { t } = useTranslation('staff-accounts')
  const { act, actOrThrow } = useAccountActions(account.id)
  const { id, name, refusals } = account
  const params = { params: { id } }
  const [deactivate, reactivate] = useStandingActions()
  const refusal = () => refusals.standing
  return [
    { ...useSeeAsAction(), refusal: () => refusals.seeAs },
    {
      ...deactivate,
      refusal,
      dialog: (_, { onClose }) => (
        <ConfirmDialog
          danger
          message={t('detail.deactivateText', { name })}
          confirmLabel={deactivate.label}
          onConfirm={() =>
            actOrThrow(
              'deactivate',
              () => sendOnce(deactivateAccount, params),
              () => t('detail.deactivated', { name }),
            )
          }
          onClose={onClose}
        />
      ),
    },
    {
      ...reactivate,
      dialog: undefined,
      refusal,
      run: () =>
        act(
          'reactivate',
          () => sendOnce(reactivateAccount, params),
          () => t('detail.reactivated', { name }),
        ),
    },
  ]
}

function useStandingActions() {
  const { t } = useTranslation(['staff-accounts', 'errors'])
  const { user } = useSession()
  const action = (key: AccountBulkAction): RowAction<Acted> => {
    const Icon = icons[key]
    const label = t(`bulk.${key}`)
    const danger = key === 'deactivate'
    return {
      key,
      label,
      icon: <Icon size={16} aria-hidden />,
      right: runAccountsBulk.access,
      danger,
      many: true,
      ...(suitsByAction[key] && { suits: suitsByAction[key] }),
      refusal: ({ id }) => (id === user?.id ? t('errors:account_is_own') : null),
      dialog: (rows, dialogEnds) => <AccountsBulkDialog {...{ action: key, label, danger, rows }} {...dialogEnds} />,
    }
  }
  return [action('deactivate'), action('reactivate'), action('end-sessions')] as const
}

/** Views the product as another account, after an explanation. */
function useSeeAsAction(): RowAction<Acted> {
  const { t } = useTranslation('staff-accounts')
  const { user, seenBy } = useSession()
  const navigate = useNavigate()
  const begin = async ({ id }: Acted) => {
    try {
      await goOnAs(await sendOnce(seeAs, { params: { id } }))
      navigate('/dashboard')
    } catch (error) {
      notifications.show({ color: 'red', message: (error as Error).message })
      throw error
    }
  }
  return {
    key: 'see-as',
    label: t('detail.seeAs'),
    icon: <IconEye size={16} aria-hidden />,
    right: seeAs.access,
    suits: ({ id }) => id !== user?.id && !seenBy,
    dialog: ([account], { onClose }) =>
      account && (
        <ConfirmDialog
          title={t('detail.seeAsTitle', { name: account.name })}
          message={t('detail.seeAsText', { name: account.name })}
          confirmLabel={t('detail.seeAsStart')}
          onConfirm={() => begin(account)}
          onClose={onClose}
        />
      ),
  }
}
