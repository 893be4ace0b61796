import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import type { ChatBox } from '#domain/chat/chat.ts'
import { listAgents, takeNextConversation } from '#domain/chat/endpoints.ts'
import { listConversations } from '#domain/chat/lists.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useChatEvents } from '#web/modules/chat/stream/chat-stream.ts'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { conversationPath } from './conversation-path.ts'
import { DutyButton } from './duty-button.tsx'

/** Milliseconds in which many events become one reading of the list. */
const gatherMs = 500

/** Conversations of the office, those who wait longest first; the list follows the stream. */
export function InboxList({ title }: { title: string }) {
  const { t } = useTranslation('inbox')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [search] = useSearchParams()
  const box = (search.get('box') ?? null) as ChatBox | null
  const { data: agents } = useEndpoint(listAgents)
  const { running, act } = useAction(keyOf(listConversations), keyOf(listAgents))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useChatEvents((events) => {
    if (events?.every(({ kind }) => kind === 'writing')) return
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      void queries.invalidateQueries({ queryKey: keyOf(listConversations) })
      void queries.invalidateQueries({ queryKey: keyOf(listAgents) })
    }, gatherMs)
  })
  const takeNext = () =>
    act('take', async () => {
      const { data } = await sendOnce(takeNextConversation, {})
      if (data) void navigate(conversationPath(data.id))
      else notifications.show({ message: t('nobodyWaits') })
    })
  return (
    <DataList
      list={listConversations}
      title={title}
      rowTitle={({ name }) => name}
      href={({ id }) => conversationPath(id)}
      actions={
        <Group gap="sm">
          <Text size="sm" role="status">
            {t('waitingCount', { count: agents?.meta.waiting ?? 0 })}
          </Text>
          <DutyButton />
          <Button onClick={takeNext} loading={running === 'take'}>
            {t('takeNext')}
          </Button>
        </Group>
      }
      cells={{
        name: ({ name, unread }) => (unread > 0 ? <strong>{name}</strong> : name),
        state: ({ state, waitingSince, assignee }) => (
          <StatusDot
            tone={state === 'closed' ? 'done' : waitingSince ? (assignee ? 'progress' : 'attention') : 'waiting'}
            label={waitingSince ? t('box.waiting') : t(`state.${state}`)}
          />
        ),
      }}
      empty={{ title: t(`emptyBox.${box ?? 'open'}`) }}
    />
  )
}
