import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { withdrawApproval } from '#domain/payments/approvals/endpoints.ts'
import type { PendingChange } from '#domain/payments/approvals/pending-change.ts'
import { dateTime } from '#locales/format.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { useApprovalWords } from './words.ts'

type Props = {
  change: PendingChange
  kind: 'bank_account' | 'provider_connection'
  /** Key of the query that shows the change. */
  changeKey: readonly unknown[]
  children?: ReactNode
}

/** A change to settings that awaits approval: requester, deciders, and a withdraw button for the requester. */
export function PendingNotice({ change, kind, changeKey, children }: Props) {
  const { t } = useApprovalWords()
  const { language } = useSurroundings()
  const { user, may } = useSession()
  const { act, running } = useAction(changeKey)
  const { id, action, name, requestedBy, requestedAt, deciders } = change
  const withdraw = () =>
    act(
      'withdraw',
      () => sendOnce(withdrawApproval, { params: { id } }),
      () => t('pending.withdrawn'),
    )
  return (
    <Alert color="orange" variant="light" role="status">
      <Stack gap="xs">
        <Text fw={600}>{t('pending.title', { what: t(`pending.actions.${action}`, { name }) })}</Text>
        <Text size="sm">
          {t('pending.asked', { name: requestedBy.name, time: dateTime(requestedAt, language) })}{' '}
          {deciders.length > 0 ? t('pending.deciders', { names: deciders.join(', ') }) : t('pending.nobody')}
        </Text>
        {children}
        <Group gap="sm">
          {may('persetujuan-view') && (
            <Anchor
              component={Link}
              size="sm"
              c="inherit"
              underline="always"
              to={`/persetujuan?status=pending&kind=${kind}`}
            >
              {t('pending.open')}
            </Anchor>
          )}
          {requestedBy.id === user?.id && (
            <Button
              size="compact-md"
              variant="default"
              loading={running === 'withdraw'}
              onClick={withdraw}
              children={t('pending.withdraw')}
            />
          )}
        </Group>
      </Stack>
    </Alert>
  )
}
