import { Alert, Anchor, Button, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listAgents, takeNextConversation } from '#domain/chat/endpoints.ts'
import { listConversations } from '#domain/chat/lists.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { useOutbox } from '#web/modules/chat/thread/outbox.ts'
import { useScreenTitle } from '#web/shell/title.tsx'
import { useDoubleTapGuard } from '#web/ui/form/double-tap.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { ConversationView } from './conversation-view.tsx'
import { DutyButton } from './duty.tsx'
import classes from './inbox.module.css'
import { InboxList } from './inbox-list.tsx'
import { officeOnly } from './office-only.tsx'
import { useInboxAddress, useLiveInbox } from './use-inbox.ts'

/** The inbox, the open conversation and the facts about its applicant. */
function InboxPage() {
  const { t } = useTranslation('inbox')
  const address = useInboxAddress()
  const { openId, change } = address
  const queries = useQueryClient()
  const { running, act } = useAction(keyOf(listConversations), keyOf(listAgents))
  const { data: agents, error } = useEndpoint(listAgents)
  useLiveInbox()
  const { items } = useOutbox()
  const [takenCount, setTakenCount] = useState(0)
  // Ignores taps for a moment after a conversation was taken, so that a double tap does not take a second one.
  const tapGuard = useDoubleTapGuard(String(takenCount))
  const refusedIds = [
    ...new Set(
      items.flatMap(({ data }) => (data.refusal && data.conversationId !== openId ? data.conversationId : [])),
    ),
  ]
  const takeNext = () =>
    act(
      'next',
      async () => {
        const { data } = await sendOnce(takeNextConversation, {})
        setTakenCount((count) => count + 1)
        if (data) change({ box: 'mine', c: data.id, facts: null })
        void queries.invalidateQueries({ queryKey: keyOf(listAgents) })
        return data
      },
      (data) => (data ? undefined : t('nobodyWaits')),
    )
  const waiting = error ? null : agents?.meta.waiting
  return (
    <div className={classes.page} data-open={openId ? true : undefined} data-list>
      <div className={classes.pageHead}>
        <PageHeader
          title={useScreenTitle()}
          description={waiting ? t('waitingCount', { count: waiting }) : undefined}
          actions={
            <>
              <DutyButton agent={agents?.data[0]} />
              <Button component={Link} to="/apps/chat/group-chat" variant="default">
                {t('room')}
              </Button>
              <Button component={Link} to="/chat/private-chat/jawaban" variant="default">
                {t('replies')}
              </Button>
              <Button style={tapGuard} onClick={takeNext} loading={running === 'next'}>
                {t('takeNext')}
              </Button>
            </>
          }
        />
      </div>
      {refusedIds.map((id) => (
        <Alert key={id} color="red" variant="light" role="alert" p="xs" mb="xs">
          {t('answerRefused')}{' '}
          <Anchor component={Link} to={`?c=${id}`}>
            {t('openRefused')}
          </Anchor>
        </Alert>
      ))}
      <div className={classes.columns}>
        <InboxList address={address} waiting={waiting ?? 0} />
        {openId ? (
          // Keeps the list visible while the conversation loads its translations.
          <Suspense fallback={<LoadingRows rows={6} />}>
            <ConversationView key={openId} id={openId} address={address} agents={agents?.data ?? []} />
          </Suspense>
        ) : (
          <div className={classes.nothing}>
            <Text c="dimmed">{t('pick')}</Text>
          </div>
        )}
      </div>
    </div>
  )
}

export default officeOnly(InboxPage)
