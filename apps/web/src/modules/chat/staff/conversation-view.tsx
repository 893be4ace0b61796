import { ActionIcon, Alert, Button, Group, SegmentedControl, Text, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ChatAgent, type Conversation, readConversation } from '#domain/chat/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useStreamState } from '#web/modules/chat/stream/chat-stream.ts'
import { Composer } from '#web/modules/chat/thread/composer.tsx'
import { MessageList } from '#web/modules/chat/thread/message-list.tsx'
import threadClasses from '#web/modules/chat/thread/thread.module.css'
import { useMessageBox } from '#web/modules/chat/thread/use-message-box.ts'
import { useThread } from '#web/modules/chat/thread/use-thread.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { ConversationActions } from './conversation-actions.tsx'
import { FactsPanel } from './facts-panel.tsx'
import classes from './inbox.module.css'
import { RepliesMenu, TemplatesMenu } from './replies-menu.tsx'
import type { InboxAddress } from './use-inbox.ts'

type Props = { id: string; address: InboxAddress; agents: readonly ChatAgent[] }

export function ConversationView({ id, address, agents }: Props) {
  const { data, error, refetch } = useEndpoint(readConversation, { params: { id } })
  usePageTitle(data?.data.name)
  if (!data)
    return (
      <div className={classes.conversation}>
        <LoadingRecord error={error} onRetry={refetch} rows={6} />
      </div>
    )
  return <Open conversation={data.data} address={address} agents={agents} />
}

type OpenProps = Omit<Props, 'id'> & { conversation: Conversation }

function Open({ conversation, address, agents }: OpenProps) {
  const { t } = useTranslation(['inbox', 'chat'])
  const { language } = useSurroundings()
  const { id, name, accountId, whatsapp, assignee, mine } = conversation
  const thread = useThread(id)
  const [isNote, setNote] = useState(false)
  const box = useMessageBox(id, thread, { isNote })
  const isOffline = useStreamState() === 'lost' || box.isOffline
  const field = useRef<HTMLTextAreaElement>(null)
  const { writer } = thread
  const nameOf = (by: string | null) =>
    by !== null && by === accountId ? name : agents.find((agent) => agent.id === by)?.name
  const writerName = writer && nameOf(writer.by)
  const writing = writer && (writerName ? t('chat:writing', { name: writerName }) : t('chat:somebodyWriting'))
  const isClosedWindow = whatsapp !== null && !whatsapp.open
  const onlyTemplates = isClosedWindow && accountId === null && !isNote
  const fill = (text: string) => {
    box.type(box.text.trim() === '' ? text : `${box.text.trimEnd()}\n\n${text}`)
    setNote(false)
    setTimeout(() => field.current?.focus())
  }
  return (
    <>
      <section className={classes.conversation} aria-label={name} data-facts={address.showsFacts || undefined}>
        <header className={classes.conversationHead}>
          <ActionIcon
            className={classes.back}
            variant="subtle"
            size={44}
            aria-label={t('back')}
            onClick={() => address.change({ c: null, facts: null })}
          >
            <IconArrowLeft size={20} aria-hidden />
          </ActionIcon>
          <div className={classes.who}>
            <Title order={2} size="h3">
              {name}
            </Title>
            <Text size="sm" c="dimmed">
              <Standing conversation={conversation} />
            </Text>
          </div>
          <Group gap="xs" className={classes.conversationActions}>
            <Button className={classes.toFacts} variant="default" onClick={() => address.change({ facts: '1' })}>
              {t('factsShort')}
            </Button>
            <ConversationActions {...{ conversation, agents }} seenSeq={box.seenSeq} />
          </Group>
        </header>
        <MessageList thread={thread} unsent={box.unsent} isOffline={isOffline} side="staff" writing={writing} />
        <div className={threadClasses.notices}>
          {isOffline && <Alert color="orange" variant="light" role="status" p="xs" children={t('chat:offline')} />}
          {writer && writer.by !== accountId && !isNote && (
            <Alert color="orange" variant="light" role="status" p="xs">
              {writing}
            </Alert>
          )}
          {box.givenBack && (
            <Failure>
              {box.givenBack.code === 'chat_answered_meanwhile' ? t('answeredMeanwhile') : box.givenBack.message}
            </Failure>
          )}
          {assignee && !mine && !isNote && (
            <Alert variant="light" p="xs">
              {t('hasIt', { name: assignee.name })}
            </Alert>
          )}
          {whatsapp && !isNote && (
            <Alert variant="light" color={whatsapp.open ? 'green' : 'orange'} p="xs">
              {whatsapp.open ? t('windowOpen', { at: dateTime(whatsapp.windowUntil, language) }) : t('windowClosed')}
            </Alert>
          )}
        </div>
        <div className={classes.mode}>
          <SegmentedControl
            size="sm"
            aria-label={t('mode')}
            value={isNote ? 'note' : 'answer'}
            onChange={(value) => setNote(value === 'note')}
            data={[
              { value: 'answer', label: t('answer') },
              { value: 'note', label: t('note') },
            ]}
          />
          {isNote && (
            <Text size="sm" c="dimmed">
              {t('noteHelp')}
            </Text>
          )}
        </div>
        {onlyTemplates ? (
          <div className={classes.templates}>
            <TemplatesMenu
              conversation={conversation}
              onPick={(template) => box.sendTemplate(template.body, template.id)}
            />
          </div>
        ) : (
          <Composer
            field={field}
            text={box.text}
            onText={box.type}
            onSend={box.sendText}
            onFile={isNote || accountId === null ? undefined : box.sendFile}
            label={t(isNote ? 'note' : 'answer')}
            sendLabel={isNote ? t('addNote') : t('chat:send')}
            isNote={isNote}
            tools={
              !isNote && (
                <>
                  <RepliesMenu conversation={conversation} onPick={fill} />
                  {isClosedWindow && (
                    <TemplatesMenu
                      conversation={conversation}
                      onPick={(template) => box.sendTemplate(template.body, template.id)}
                    />
                  )}
                </>
              )
            }
          />
        )}
      </section>
      <FactsPanel
        conversation={conversation}
        isShown={address.showsFacts}
        onBack={() => address.change({ facts: null })}
      />
    </>
  )
}

function Standing({
  conversation: { state, team, assignee, mine, waitingSince, dueAt },
}: {
  conversation: Conversation
}) {
  const { t } = useTranslation(['inbox', 'chat'])
  const { language } = useSurroundings()
  if (state === 'closed') return t('state.closed')
  const isLate = dueAt !== null && new Date(dueAt) < new Date()
  return [
    mine ? t('yours') : assignee ? t('hasIt', { name: assignee.name }) : t('queue', { team: t(`chat:team.${team}`) }),
    waitingSince && t('waits', { at: dateTime(waitingSince, language) }),
    waitingSince && dueAt && t(isLate ? 'overdue' : 'due', { at: dateTime(dueAt, language) }),
  ]
    .filter(Boolean)
    .join(' · ')
}
