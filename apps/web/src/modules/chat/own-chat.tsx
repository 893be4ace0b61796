import { Alert, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ChatTeam, chatTeams } from '#domain/chat/chat.ts'
import {
  type ChatMessage,
  listOwnMessages,
  markOwnRead,
  readOwnChat,
  sendOwnFile,
  sendOwnMessage,
  tellOwnWriting,
} from '#domain/chat/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { call } from '#web/api/client.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { upload } from '#web/api/upload.ts'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { Composer } from './thread/composer.tsx'
import { MessageList } from './thread/message-list.tsx'
import { newId } from './thread/new-id.ts'
import classes from './thread/thread.module.css'
import { useOutbox } from './thread/use-outbox.ts'
import { useThread } from './thread/use-thread.ts'

const readOwn = async (range: { after?: number; before?: number }) => call(listOwnMessages, { query: range })

/** The reader's conversation with the office. */
export default function OwnChat() {
  const { t } = useTranslation('chat')
  const queries = useQueryClient()
  const chat = useEndpoint(readOwnChat)
  const first = useEndpoint(listOwnMessages, {}, { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false })
  const [team, setTeam] = useState<ChatTeam>('admissions')
  const mark = useCallback(
    async (seq: number) => {
      await sendOnce(markOwnRead, { body: { seq } })
      await queries.invalidateQueries({ queryKey: keyOf(readOwnChat) })
    },
    [queries],
  )
  const refetch = useCallback(() => queries.invalidateQueries({ queryKey: keyOf(readOwnChat) }), [queries])
  const thread = useThread({
    conversationId: chat.data?.data.id ?? null,
    first: first.data,
    refetch,
    read: readOwn,
    mark,
  })
  const isNew = thread.messages.length === 0
  const outbox = useOutbox({
    key: 'own',
    send: async ({ id, body }) => (await sendOnce(sendOwnMessage, { body: { id, body, ...(isNew && { team }) } })).data,
    onSent: (message) => {
      thread.add(message)
      void refetch()
    },
  })
  const sendFile = async (file: File) => {
    const form = new FormData()
    form.append('id', newId())
    form.append('file', file)
    const { data } = await upload<{ data: ChatMessage }>(sendOwnFile.path, form)
    thread.add(data)
    void refetch()
  }
  if (!first.data) return <LoadingOrFailed error={first.error} onRetry={first.refetch} rows={4} />
  return (
    <div className={classes.thread}>
      <MessageList thread={thread} outbox={outbox} side="person" intro={<Intro />} />
      <div className={classes.status} role="status" aria-live="polite">
        {thread.isLost && <Text size="sm">{t('offline')}</Text>}
        {!thread.isLost && thread.writer?.by === null && (
          <Text size="sm" c="dimmed">
            {t('somebodyWriting')}
          </Text>
        )}
      </div>
      <Composer
        draftKey="chat:own"
        label={t('message')}
        submit={t('send')}
        onSend={outbox.post}
        onFile={sendFile}
        onWriting={() => call(tellOwnWriting, { body: {} })}
        tools={
          isNew && (
            <SegmentedControl
              aria-label={t('about')}
              value={team}
              onChange={(value) => setTeam(value as ChatTeam)}
              data={chatTeams.map((value) => ({ value, label: t(`teamChoice.${value}`) }))}
            />
          )
        }
      />
    </div>
  )
}

/** How soon the office answers, and when it is there. */
function Intro() {
  const { t } = useTranslation('chat')
  const { language } = useSurroundings()
  const { data } = useEndpoint(readOwnChat)
  if (!data) return null
  const { open, days, from, until, opensAt, answerMinutes } = data.data.hours
  const hours = t('hours', { days: daysInWords(days, (day) => t(`days.${day as 1}`), t), from, until })
  return (
    <Stack gap={8} className={classes.intro}>
      <Text>{t('hello', { minutes: answerMinutes })}</Text>
      <Alert color={open ? 'green' : 'gray'} variant="light" p="xs">
        {open ? t('openNow', { hours }) : opensAt ? t('closedNow', { at: dateTime(opensAt, language) }) : t('noHours')}
      </Alert>
    </Stack>
  )
}

/** `Monday to Friday`, or the days one by one. */
function daysInWords(
  days: readonly number[],
  nameOf: (day: number) => string,
  t: (key: 'dayRange', values: { first: string; last: string }) => string,
) {
  const isRange = days.length > 2 && days.every((day, index) => index === 0 || day === days[index - 1]! + 1)
  return isRange ? t('dayRange', { first: nameOf(days[0]!), last: nameOf(days.at(-1)!) }) : days.map(nameOf).join(', ')
}
