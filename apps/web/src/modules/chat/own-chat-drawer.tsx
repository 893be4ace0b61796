import { Drawer } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { readOwnChat } from '#domain/chat/endpoints.ts'
import { keyOf } from '#web/api/query.ts'
import classes from './own-chat.module.css'
import { OwnChat } from './own-chat.tsx'
import { onChat } from './stream/chat-stream.ts'
import { useOutbox } from './thread/outbox.ts'

type Props = { isOpen: boolean; onClose: () => void }

/** Drawer with the applicant's conversation. Sends waiting messages and updates the unread count even while closed. */
export default function OwnChatDrawer({ isOpen, onClose }: Props) {
  const { t } = useTranslation('chat')
  const queries = useQueryClient()
  useOutbox()
  useEffect(() => {
    const count = () => void queries.invalidateQueries({ queryKey: keyOf(readOwnChat) })
    return onChat({
      onCatchUp: count,
      onEvents: (events) => events.some(({ kind }) => kind !== 'writing') && count(),
    })
  }, [queries])
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size="min(100vw, 30rem)"
      title={t('ask')}
      closeButtonProps={{ 'aria-label': t('close'), size: 44 }}
      classNames={{ content: classes.drawer, body: classes.body, header: classes.header }}
    >
      <OwnChat />
    </Drawer>
  )
}
