import { Alert, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ChatTeam, chatTeams } from '#domain/chat/chat.ts'
import { readOwnChat } from '#domain/chat/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { Failure } from '#web/ui/states/failure.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import { OfficeHours } from './office-hours.tsx'
import classes from './own-chat.module.css'
import { useStreamState } from './stream/chat-stream.ts'
import { Composer } from './thread/composer.tsx'
import { MessageList } from './thread/message-list.tsx'
import threadClasses from './thread/thread.module.css'
import { useMessageBox } from './thread/use-message-box.ts'
import { useThread } from './thread/use-thread.ts'
import { WhatsappLink } from './whatsapp-link.tsx'

export function OwnChat() {
  const { t } = useTranslation('chat')
  const { data, error, refetch } = useEndpoint(readOwnChat, {}, { quietAs: 'ownChat' })
  const thread = useThread(null)
  const box = useMessageBox(null, thread)
  const streamState = useStreamState()
  const [team, setTeam] = useState<ChatTeam>('admissions')
  const { messages, isLoaded, writer } = thread
  const isFirst = isLoaded && messages.length === 0 && box.unsent.length === 0
  const isOffline = box.isOffline || streamState === 'lost'
  return (
    <>
      <div className={classes.hours}>
        {data ? <OfficeHours hours={data.data.hours} /> : <Missing error={error} onRetry={refetch} />}
        {data?.data.whatsapp && <WhatsappLink phone={data.data.whatsapp.phone} />}
      </div>
      <MessageList
        thread={thread}
        unsent={box.unsent}
        isOffline={isOffline}
        side="person"
        writing={writer ? t('somebodyWriting') : null}
      >
        <Text className={classes.hello}>{t('hello', { minutes: data?.data.hours.answerMinutes ?? 30 })}</Text>
      </MessageList>
      <div className={threadClasses.notices}>
        {isOffline && <Alert color="orange" variant="light" role="status" p="xs" children={t('offline')} />}
        <Failure>{box.givenBack && t('notSent', { why: box.givenBack.message })}</Failure>
        {isFirst && (
          <div className={classes.teams}>
            <Text size="sm" fw={600} id="chat-team">
              {t('about')}
            </Text>
            <SegmentedControl
              aria-labelledby="chat-team"
              value={team}
              styles={{ label: { minHeight: 44, alignContent: 'center' } }}
              onChange={(value) => setTeam(value as ChatTeam)}
              data={chatTeams.map((value) => ({ value, label: t(`teamChoice.${value}`) }))}
            />
          </div>
        )}
      </div>
      <Composer
        text={box.text}
        onText={box.type}
        onSend={(body) => box.sendText(body, isFirst ? { team } : {})}
        onFile={(file) => box.sendFile(file, isFirst ? { team } : {})}
      />
    </>
  )
}
