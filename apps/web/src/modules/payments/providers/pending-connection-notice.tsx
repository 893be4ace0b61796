import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  checkRequestedProvider,
  listNewProviders,
  type PendingConnection,
  readProvider,
} from '#domain/payments/providers/endpoints.ts'
import { keyOf } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { PendingNotice } from '#web/modules/payments/approvals/pending-notice.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { Copied } from '#web/ui/text/copied.tsx'

type Props = {
  connection: PendingConnection
  /** Missing for a connection that does not exist yet. */
  providerId?: string
}

/**
 * A change to a connection that awaits approval, with the steps possible meanwhile: test it, give the new key to the
 * bank.
 */
export function PendingConnectionNotice({ connection, providerId }: Props) {
  const { t } = useTranslation('providers')
  const { may } = useSession()
  const changeKey = providerId ? keyOf(readProvider, { params: { id: providerId } }) : keyOf(listNewProviders)
  const { act, running } = useAction(changeKey)
  const [problem, setProblem] = useState<string | null>(null)
  const check = async () => {
    setProblem(null)
    const answer = await act(
      'check',
      () => sendOnce(checkRequestedProvider, { params: { id: connection.id } }),
      ({ data }) => (data.problem ? undefined : t('checked')),
    )
    if (answer?.data.problem)
      setProblem(
        [
          t(`problems.${answer.data.problem as 'refused'}`, { defaultValue: answer.data.problem }),
          answer.data.problemDetail,
        ]
          .filter(Boolean)
          .join(' '),
      )
  }
  return (
    <PendingNotice change={connection} kind="provider_connection" changeKey={changeKey}>
      {connection.publicKey && (
        <Copied label={t('pendingKey')} help={t('pendingKeyHelp')} value={connection.publicKey.trim()} />
      )}
      {connection.canCheck && may('settings-providers-update') && (
        <div>
          <Button
            size="compact-md"
            variant="default"
            loading={running === 'check'}
            onClick={check}
            children={t('check')}
          />
          {problem && (
            <Text size="sm" role="alert" mt="xs">
              {problem}
            </Text>
          )}
        </div>
      )}
    </PendingNotice>
  )
}
