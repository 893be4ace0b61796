import { Alert, Button, Loader, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconChecks, IconClock, IconFile, IconLock } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ChatMessage, fetchChatFile } from '#domain/chat/endpoints.ts'
import { type MediaKind, mediaProblems } from '#domain/chat/media.ts'
import { isWhatsappProblem } from '#domain/whatsapp/problems.ts'
import { sendOnce } from '#web/api/send.ts'
import { DateText } from '#web/ui/text/date-text.tsx'
import { MessageText } from './message-text.tsx'
import { discard, retry, type UnsentItem } from './outbox.ts'
import { openFile } from './port.ts'
import classes from './thread.module.css'

export type ReaderSide = 'person' | 'staff'

type Props = {
  message: ChatMessage
  side: ReaderSide
  /** Whether the message follows one by the same author within minutes, so that the name is not repeated. */
  isContinued: boolean
  /** Whether the other side has read the message. */
  isRead: boolean
  isRoom: boolean
  onChange: (message: ChatMessage) => void
}

export function MessageItem({ message, side, isContinued, isRead, isRoom, onChange }: Props) {
  const { t } = useTranslation(['chat', 'inbox'])
  const { author, own, kind, at } = message
  if (kind === 'event')
    return (
      <li className={classes.happening}>
        <Happening message={message} /> · <DateText value={at} as="time" />
      </li>
    )
  const isOwnSide = isRoom ? own : author === side
  const name = own ? t('you') : (message.name ?? t(author === 'person' ? 'person' : 'office'))
  return (
    <li className={classes.item} data-own={isOwnSide || undefined} data-note={kind === 'note' || undefined}>
      <p className={classes.author} data-continued={isContinued || undefined}>
        {name}
        {kind === 'note' && (
          <span className={classes.noteMark}>
            <IconLock size="0.9em" aria-hidden /> {t('inbox:note')}
          </span>
        )}
      </p>
      <div className={classes.bubble}>
        <Content message={message} side={side} onChange={onChange} />
      </div>
      <p className={classes.state}>
        <DateText value={at} as="time" />
        {isOwnSide && kind !== 'note' && !isRoom && <Tick message={message} isRead={isRead} side={side} />}
      </p>
    </li>
  )
}

function Happening({ message: { happening, name, detail, team } }: { message: ChatMessage }) {
  const { t } = useTranslation(['inbox', 'chat'])
  if (team) return t('happening.handed_to_queue', { by: name ?? '—', team: t(`chat:team.${team}`) })
  return happening ? t(`happening.${happening}`, { by: name ?? '—', to: detail ?? '—' }) : null
}

function Content({ message, side, onChange }: Pick<Props, 'message' | 'side' | 'onChange'>) {
  const { t } = useTranslation('chat')
  const { id, kind, body, detail, file, media } = message
  if (kind === 'unsupported') {
    const word = t(`unsupported.${detail ?? 'any'}` as 'unsupported.any', {
      kind: detail ?? '?',
      defaultValue: t('unsupported.any', { kind: detail ?? '?' }),
    })
    return (
      <>
        <em>{word}</em>
        <Caption>{body}</Caption>
      </>
    )
  }
  if (kind === 'media' && media)
    return (
      <>
        <em>{t(`media.${media.state}`, { kind: t(`media.kind.${detail as MediaKind}`), why: t(whyOf(media)) })}</em>
        <Caption>{body}</Caption>
        {side === 'staff' && media.state === 'failed' && <FetchButton id={id} onChange={onChange} />}
      </>
    )
  if (kind === 'file' && file)
    return (
      <>
        <FileButton id={id} name={file.name} />
        <Caption>{body}</Caption>
      </>
    )
  return <MessageText>{body}</MessageText>
}

const Caption = ({ children }: { children: string }) =>
  children && (
    <>
      {'\n'}
      <MessageText>{children}</MessageText>
    </>
  )

/** Key of the sentence that says why a WhatsApp file is missing. */
function whyOf({ problem }: NonNullable<ChatMessage['media']>) {
  const known = mediaProblems.find((one) => one === problem)
  return `media.why.${known ?? 'file_unreadable'}` as const
}

function FetchButton({ id, onChange }: { id: string; onChange: Props['onChange'] }) {
  const { t } = useTranslation('chat')
  const [state, setState] = useState<{ isAsking: boolean; failure?: string }>({ isAsking: false })
  const ask = async () => {
    setState({ isAsking: true })
    try {
      onChange((await sendOnce(fetchChatFile, { params: { id } })).data)
    } catch (error) {
      setState({ isAsking: false, failure: (error as Error).message })
    }
  }
  return (
    <div className={classes.buttons}>
      <Button variant="default" mih={44} loading={state.isAsking} onClick={ask}>
        {t('media.again')}
      </Button>
      {state.failure && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {state.failure}
        </Text>
      )}
    </div>
  )
}

function FileButton({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation('chat')
  const [state, setState] = useState<{ isOpening: boolean; failure?: string }>({ isOpening: false })
  const open = async () => {
    setState({ isOpening: true })
    try {
      await openFile(id)
      setState({ isOpening: false })
    } catch (error) {
      setState({ isOpening: false, failure: (error as Error).message })
    }
  }
  return (
    <>
      <Button
        variant="default"
        mih={44}
        leftSection={<IconFile size={18} aria-hidden />}
        loading={state.isOpening}
        onClick={open}
        aria-label={t('openFile', { name })}
      >
        {name}
      </Button>
      {state.failure && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {state.failure}
        </Text>
      )}
    </>
  )
}

function Tick({ message: { delivery }, isRead, side }: Pick<Props, 'message' | 'isRead' | 'side'>) {
  const { t } = useTranslation('chat')
  if (delivery && side === 'staff' && !isRead) return <DeliveryTick {...delivery} />
  const Icon = isRead ? IconChecks : IconCheck
  return (
    <span className={classes.tick}>
      <Icon size="1.1em" aria-hidden /> {t(isRead ? 'read' : 'sent')}
    </span>
  )
}

const deliveryIcons = {
  queued: IconClock,
  sent: IconCheck,
  delivered: IconChecks,
  read: IconChecks,
  failed: IconAlertTriangle,
}

function DeliveryTick({ status, problem }: NonNullable<ChatMessage['delivery']>) {
  const { t } = useTranslation('inbox')
  const Icon = deliveryIcons[status]
  return (
    <span className={classes.tick} data-failed={status === 'failed' || undefined}>
      <Icon size="1.1em" aria-hidden /> {t(`delivery.${status}`)}
      {problem && (
        <Suspense>
          <Problem problem={problem} />
        </Suspense>
      )}
    </span>
  )
}

/** Suspends until the texts of the namespace `whatsapp` are loaded. */
function Problem({ problem }: { problem: string }) {
  const { t } = useTranslation('whatsapp')
  return `: ${isWhatsappProblem(problem) ? t(`problem.${problem}`) : problem}`
}

type UnsentProps = {
  item: UnsentItem
  isOffline: boolean
  /** Number of the newest message in the list. */
  seenSeq: number
}

/**
 * A message the server has not confirmed. Offline, the reader can discard the message, because a large file may never
 * get through.
 */
export function UnsentMessage({ item, isOffline, seenSeq }: UnsentProps) {
  const { t } = useTranslation('chat')
  const { data } = item
  return (
    <li className={classes.item} data-own data-unsent data-note={(data.kind === 'text' && data.note) || undefined}>
      <div className={classes.bubble}>
        {data.kind === 'text' ? <MessageText>{data.body}</MessageText> : data.file.name}
      </div>
      {data.refusal ? (
        <Alert color="red" variant="light" role="alert" p="xs">
          {t('notSent', { why: data.refusal.message })}
          <div className={classes.buttons}>
            <Button variant="default" size="compact-md" onClick={() => void retry(item, seenSeq)}>
              {t('tryAgain')}
            </Button>
            <Button variant="default" size="compact-md" onClick={() => void discard(item.id)}>
              {t('discard')}
            </Button>
          </div>
        </Alert>
      ) : (
        <p className={classes.state}>
          <span className={classes.tick}>
            {isOffline ? <IconClock size="1.1em" aria-hidden /> : <Loader size={14} aria-hidden />}{' '}
            {t(isOffline ? 'waitingForNetwork' : 'sending')}
          </span>
          {isOffline && (
            <Button variant="subtle" size="compact-md" onClick={() => void discard(item.id)}>
              {t('discard')}
            </Button>
          )}
        </p>
      )}
    </li>
  )
}
