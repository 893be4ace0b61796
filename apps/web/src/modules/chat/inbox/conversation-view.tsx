import { Alert, Badge, Button, Group, SegmentedControl, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import {
  type ChatMessage,
  type Conversation,
  closeConversation,
  listAgents,
  listChatMessages,
  markChatRead,
  readConversation,
  sendChatFile,
  sendChatMessage,
  takeConversation,
  tellWriting,
} from '#domain/chat/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { call, pathOf } from '#web/api/client.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { upload } from '#web/api/upload.ts'
import { useAction } from '#web/api/use-action.ts'
import { useChatEvents } from '#web/modules/chat/stream/chat-stream.ts'
import { Composer } from '#web/modules/chat/thread/composer.tsx'
import { MessageList } from '#web/modules/chat/thread/message-list.tsx'
import { newId } from '#web/modules/chat/thread/new-id.ts'
import threadClasses from '#web/modules/chat/thread/thread.module.css'
import { useOutbox } from '#web/modules/chat/thread/use-outbox.ts'
import { useThread } from '#web/modules/chat/thread/use-thread.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { inboxPath } from './conversation-path.ts'
import { FactsCard } from './facts-card.tsx'
import { HandOverDialog } from './hand-over-dialog.tsx'
import classes from './inbox.module.css'
import { RepliesMenu } from './replies-menu.tsx'

/** A conversation of the staff's side, or a room: messages, field, and what blocks the person beside it. */
export function ConversationView({ id }: { id: string }) {
  const answer = useEndpoint(readConversation, { params: { id } })
  const first = useEndpoint(
    listChatMessages,
    { params: { id } },
    { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false },
  )
  if (!answer.data || !first.data)
    return <LoadingRecord error={answer.error ?? first.error} onRetry={answer.refetch} rows={6} height={56} />
  return <View conversation={answer.data.data} first={first.data} />
}

type ViewProps = { conversation: Conversation; first: Parameters<typeof useThread>[0]['first'] }

function View({ conversation, first }: ViewProps) {
  const { t } = useTranslation(['inbox', 'chat'])
  const { user } = useSession()
  const queries = useQueryClient()
  const { id, kind, whatsapp } = conversation
  const [isNote, setNote] = useState(false)
  const [isHandingOver, setHandingOver] = useState(false)
  const [insertion, setInsertion] = useState<{ text: string; at: number } | null>(null)
  const { data: agents } = useEndpoint(listAgents)
  const isRoom = kind === 'room'
  const refetch = useCallback(
    () => queries.invalidateQueries({ queryKey: keyOf(readConversation, { params: { id } }) }),
    [queries, id],
  )
  const read = useCallback(
    (range: { after?: number; before?: number }) => call(listChatMessages, { params: { id }, query: range }),
    [id],
  )
  const mark = useCallback((seq: number) => sendOnce(markChatRead, { params: { id }, body: { seq } }), [id])
  const thread = useThread({ conversationId: id, first, refetch, read, mark })
  useChatEvents((events) => {
    if (!events || events.some((event) => event.conversation === id && event.kind !== 'writing')) void refetch()
  })
  const send = async (message: { id: string; body: string; note: boolean }, templateId: string | null = null) =>
    (
      await sendOnce(sendChatMessage, {
        params: { id },
        body: { ...message, seenSeq: thread.newest, templateId },
      })
    ).data
  const outbox = useOutbox({
    key: id,
    send: ({ refusal: _, ...message }) => send(message),
    onSent: (message) => {
      thread.add(message)
      void refetch()
    },
    onRefused: ({ body }, { code }) => {
      if (code !== 'chat_answered_meanwhile') return false
      setInsertion({ text: body, at: Date.now() })
      return true
    },
  })
  const { act, running } = useAction(keyOf(readConversation, { params: { id } }))
  const sendTemplate = (templateId: string, body: string) =>
    act('template', async () => thread.add(await send({ id: newId(), body, note: false }, templateId)))
  const sendFile = async (file: File) => {
    const form = new FormData()
    form.append('id', newId())
    form.append('file', file)
    const { data } = await upload<{ data: ChatMessage }>(pathOf(sendChatFile.path, { id }), form)
    thread.add(data)
  }
  const writerName =
    thread.writer && thread.writer.by !== user?.id
      ? (agents?.data.find(({ id: agentId }) => agentId === thread.writer?.by)?.name ?? conversation.name)
      : null
  const isWindowClosed = whatsapp !== null && !whatsapp.open && conversation.accountId === null
  const isTaken = conversation.assignee !== null && !conversation.mine

  return (
    <>
      <PageHeader
        title={conversation.name}
        description={!isRoom && <Standing conversation={conversation} />}
        actions={
          !isRoom && (
            <Actions conversation={conversation} newest={thread.newest} onHandOver={() => setHandingOver(true)} />
          )
        }
      />
      <div className={isRoom ? undefined : classes.columns}>
        <div ref={intoSight} className={`${threadClasses.page} ${threadClasses.thread}`}>
          <MessageList
            thread={thread}
            outbox={outbox}
            side={isRoom ? 'room' : 'staff'}
            intro={isRoom && <Text c="dimmed">{t('roomText')}</Text>}
            happeningOf={({ happening, detail, name }) =>
              happening ? t(`happening.${happening}`, { by: name ?? t('chat:office'), to: detail ?? '' }) : ''
            }
            deliveryOf={({ delivery }) => delivery && t(`delivery.${delivery.status}`)}
          />
          <div className={threadClasses.status} role="status" aria-live="polite">
            {thread.isLost && <Text size="sm">{t('chat:offline')}</Text>}
            {writerName && (
              <Text size="sm" c="dimmed">
                {t('chat:writing', { name: writerName })}
              </Text>
            )}
          </div>
          {insertion && (
            <Alert
              color="yellow"
              mx="sm"
              mb="xs"
              withCloseButton
              closeButtonLabel={t('chat:close')}
              onClose={() => setInsertion(null)}
            >
              {t('answeredMeanwhile')}
            </Alert>
          )}
          {isTaken && (
            <Text size="sm" px="md" pb={4}>
              {t('hasIt', { name: conversation.assignee!.name })}
            </Text>
          )}
          <Composer
            draftKey={`chat:${id}`}
            label={isNote ? t('note') : t('answer')}
            submit={isNote ? t('addNote') : t('chat:send')}
            insertion={insertion}
            onSend={(body) => {
              setInsertion(null)
              outbox.post(body, isNote)
            }}
            onFile={isNote || (!isRoom && conversation.accountId === null) ? null : sendFile}
            onWriting={() => call(tellWriting, { params: { id }, body: {} })}
            disabled={isWindowClosed && !isNote}
            tools={
              !isRoom && (
                <Group gap="xs">
                  <SegmentedControl
                    size="sm"
                    aria-label={t('answer')}
                    value={isNote ? 'note' : 'answer'}
                    onChange={(value) => setNote(value === 'note')}
                    data={[
                      { value: 'answer', label: t('answer') },
                      { value: 'note', label: t('note') },
                    ]}
                  />
                  <RepliesMenu
                    conversation={conversation}
                    onPick={(text) => setInsertion({ text, at: Date.now() })}
                    onTemplate={sendTemplate}
                    busy={running === 'template'}
                  />
                </Group>
              )
            }
          />
        </div>
        {!isRoom && <FactsCard conversation={conversation} />}
      </div>
      {isHandingOver && <HandOverDialog conversation={conversation} onClose={() => setHandingOver(false)} />}
    </>
  )
}

/** On a phone the field stands below the window otherwise. */
function intoSight(box: HTMLElement | null) {
  if (matchMedia('(max-width: 61.99em)').matches) box?.scrollIntoView({ block: 'end' })
}

/** Who answers, since when the person waits, and when the answer is due. */
function Standing({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation(['inbox', 'chat'])
  const { language } = useSurroundings()
  const { state, assignee, team, waitingSince, dueAt, whatsapp } = conversation
  const isOverdue = dueAt && new Date(dueAt) < new Date()
  return (
    <Group gap="xs">
      <Badge variant="light" color={state === 'open' ? 'blue' : 'gray'}>
        {t(`state.${state}`)}
      </Badge>
      <span>{assignee ? t('hasIt', { name: assignee.name }) : t('queue', { team: t(`chat:team.${team}`) })}</span>
      {waitingSince && <span>{t('waits', { at: dateTime(waitingSince, language) })}</span>}
      {dueAt && <span>{t(isOverdue ? 'overdue' : 'due', { at: dateTime(dueAt, language) })}</span>}
      {whatsapp && (
        <span>
          {whatsapp.open ? t('windowOpen', { at: dateTime(whatsapp.windowUntil, language) }) : t('windowClosed')}
        </span>
      )}
    </Group>
  )
}

type ActionsProps = { conversation: Conversation; newest: number; onHandOver: () => void }

function Actions({ conversation, newest, onHandOver }: ActionsProps) {
  const { t } = useTranslation('inbox')
  const navigate = useNavigate()
  const { id, assignee, mine, state } = conversation
  const { act, running } = useAction(keyOf(readConversation, { params: { id } }), keyOf(listAgents))
  return (
    <>
      <Button component={Link} to={inboxPath} variant="default">
        {t('back')}
      </Button>
      {!assignee && (
        <Button
          variant="default"
          loading={running === 'take'}
          onClick={() =>
            act(
              'take',
              () => sendOnce(takeConversation, { params: { id } }),
              () => t('taken'),
            )
          }
        >
          {t('take')}
        </Button>
      )}
      {(!assignee || mine) && (
        <Button variant="default" onClick={onHandOver}>
          {t('handOver')}
        </Button>
      )}
      {state === 'open' && (
        <Button
          variant="default"
          loading={running === 'close'}
          onClick={() =>
            act(
              'close',
              async () => {
                await sendOnce(closeConversation, { params: { id }, body: { seenSeq: newest } })
                void navigate(inboxPath)
              },
              () => t('closed'),
            )
          }
        >
          {t('closeIt')}
        </Button>
      )}
    </>
  )
}
