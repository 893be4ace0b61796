import { ActionIcon, Drawer, Indicator } from '@mantine/core'
import { IconMessageCircle } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { readOwnChat } from '#domain/chat/endpoints.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { lazyPart } from '#web/ui/lazy-part.ts'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { closeAskUs, openAskUs, useAskUs } from './ask-us-store.ts'
import { useChatEvents } from './stream/chat-stream.ts'
import classes from './thread/thread.module.css'

const OwnChat = lazyPart(() => import('./own-chat.tsx'))

const everyMinute = 60_000

/** "Ask us" on every page of an applicant: the number of unread answers, and the conversation in a drawer. */
export default function AskUs() {
  const { t } = useTranslation('chat')
  const queries = useQueryClient()
  const isOpen = useAskUs()
  const { data } = useEndpoint(readOwnChat, {}, { quietAs: 'bell', refetchInterval: everyMinute })
  const unread = data?.data.unread ?? 0
  // Nobody who has never written holds a stream open.
  useChatEvents(
    () => void queries.invalidateQueries({ queryKey: keyOf(readOwnChat) }),
    data?.data.id !== null && !!data,
  )
  return (
    <>
      <Indicator label={unread} disabled={unread === 0} size={18} offset={8}>
        <ActionIcon
          variant="subtle"
          color="gray"
          c="inherit"
          size={44}
          onClick={openAskUs}
          aria-label={unread > 0 ? t('askUnread', { count: unread }) : t('ask')}
          title={t('ask')}
          aria-haspopup="dialog"
        >
          <IconMessageCircle size={20} aria-hidden />
        </ActionIcon>
      </Indicator>
      <Drawer
        opened={isOpen}
        onClose={closeAskUs}
        position="right"
        size={420}
        title={t('ask')}
        closeButtonProps={{ 'aria-label': t('close'), size: 44 }}
        classNames={{ content: classes.drawer!, body: classes.drawerBody! }}
      >
        <Suspense fallback={<LoadingRows rows={4} />}>
          <OwnChat />
        </Suspense>
      </Drawer>
    </>
  )
}
