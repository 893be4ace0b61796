import { Button, Text } from '@mantine/core'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { universityCalendar } from '#domain/calendar.ts'
import { type ChatMessage, openChatFile } from '#domain/chat/endpoints.ts'
import { longDate, timeOfDay } from '#locales/format.ts'
import { call } from '#web/api/client.ts'
import { useAction } from '#web/api/use-action.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './thread.module.css'
import type { Unsent } from './use-outbox.ts'
import type { Thread } from './use-thread.ts'

type Outbox = {
  unsent: readonly Unsent[]
  isWaiting: boolean
  retry: (id: string) => void
  discard: (id: string) => void
}

type Props = {
  thread: Thread
  outbox: Outbox
  /** Side of the reader: its messages stand on the right; in a room only the reader's own. */
  side: 'person' | 'staff' | 'room'
  /** Shown above the first message, and alone where there is none. */
  intro?: ReactNode
  /** Words of what happened to the conversation. */
  happeningOf?: (message: ChatMessage) => string
  /** Words below a message that went out by WhatsApp as well. */
  deliveryOf?: (message: ChatMessage) => string | null
}

/** Pixels from the end within which new messages are scrolled into sight. */
const nearEnd = 120

export function MessageList({ thread, outbox, side, intro, happeningOf, deliveryOf }: Props) {
  const { t } = useTranslation('chat')
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const [isAway, setAway] = useState(false)
  const [isReading, setReading] = useState(false)
  const { messages, meta } = thread
  const last = messages.at(-1)?.id
  const readSeq = side === 'person' ? (meta?.officeReadSeq ?? 0) : (meta?.personReadSeq ?? 0)

  const toEnd = () => box.current?.scrollTo({ top: box.current.scrollHeight })
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new message scrolls, if the reader stands at the end
  useLayoutEffect(() => {
    if (isAtEnd.current) toEnd()
  }, [last, outbox.unsent.length, thread.writer])

  const onScroll = () => {
    const { scrollTop, clientHeight, scrollHeight } = box.current!
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < nearEnd
    setAway(!isAtEnd.current)
  }
  const readEarlier = async () => {
    const { scrollHeight, scrollTop } = box.current!
    setReading(true)
    try {
      await thread.readEarlier()
      // Keeps the message in sight that the reader sees.
      requestAnimationFrame(() => box.current?.scrollTo({ top: box.current.scrollHeight - scrollHeight + scrollTop }))
    } catch {
      // The button stays.
    } finally {
      setReading(false)
    }
  }

  return (
    <div className={classes.frame}>
      <div ref={box} className={classes.scroll} onScroll={onScroll} tabIndex={0} role="log" aria-label={t('log')}>
        {thread.hasEarlier ? (
          <Button variant="subtle" size="compact-md" onClick={readEarlier} loading={isReading} mx="auto">
            {t('earlier')}
          </Button>
        ) : (
          intro
        )}
        {messages.map((message, index) => (
          <Message
            key={message.id}
            message={message}
            before={messages[index - 1]}
            side={side}
            isRead={message.seq <= readSeq}
            happeningOf={happeningOf}
            deliveryOf={deliveryOf}
          />
        ))}
        {outbox.unsent.map((one) => (
          <UnsentMessage key={one.id} message={one} outbox={outbox} />
        ))}
      </div>
      {isAway && (
        <Button className={classes.newest} size="compact-md" variant="default" onClick={toEnd}>
          {t('newest')}
        </Button>
      )}
    </div>
  )
}

type MessageProps = Pick<Props, 'side' | 'happeningOf' | 'deliveryOf'> & {
  message: ChatMessage
  before: ChatMessage | undefined
  isRead: boolean
}

function Message({ message, before, side, isRead, happeningOf, deliveryOf }: MessageProps) {
  const { t } = useTranslation('chat')
  const { language } = useSurroundings()
  const day = dayOf(message.at)
  const isNewDay = !before || dayOf(before.at) !== day
  const isOwnSide = side === 'room' ? message.own : message.author === side
  const name = message.own ? t('you') : (message.name ?? (message.author === 'person' ? t('person') : t('office')))
  return (
    <>
      {isNewDay && (
        <Text className={classes.day} size="sm" c="dimmed">
          <DayWords day={day} />
        </Text>
      )}
      {message.kind === 'event' ? (
        <Text className={classes.happening} size="sm" c="dimmed">
          {happeningOf?.(message)} · {timeOfDay(message.at, language)}
        </Text>
      ) : (
        <div
          className={classes.message}
          data-own={isOwnSide || undefined}
          data-note={message.kind === 'note' || undefined}
        >
          <div className={classes.by}>{name}</div>
          <Content message={message} />
          <div className={classes.at}>
            {timeOfDay(message.at, language)}
            {isOwnSide && side !== 'room' && message.public && ` · ${t(isRead ? 'read' : 'sent')}`}
            {deliveryOf?.(message) && ` · ${deliveryOf(message)}`}
          </div>
        </div>
      )}
    </>
  )
}

const dayOf = (at: Date | string) => universityCalendar().dayOf(new Date(at))

function DayWords({ day }: { day: string }) {
  const { t } = useTranslation('chat')
  const { language } = useSurroundings()
  const now = Date.now()
  if (day === dayOf(new Date(now))) return t('today')
  if (day === dayOf(new Date(now - 86_400_000))) return t('yesterday')
  return longDate(day, language)
}

const knownKinds = ['audio', 'image', 'video', 'document', 'sticker', 'location', 'contacts', 'reaction'] as const

function Content({ message }: { message: ChatMessage }) {
  const { t } = useTranslation('chat')
  const { act, running } = useAction([])
  if (message.kind === 'unsupported') {
    const kind = knownKinds.find((one) => one === message.detail)
    return (
      <p className={classes.body} dir="auto">
        <em>{kind ? t(`unsupported.${kind}`) : t('unsupported.any', { kind: message.detail ?? '?' })}</em>
        {message.body && `\n${message.body}`}
      </p>
    )
  }
  if (message.kind !== 'file')
    return (
      <p className={classes.body} dir="auto">
        {message.body}
      </p>
    )
  const open = () =>
    act('open', async () => {
      const { data } = await call(openChatFile, { params: { id: message.id } })
      location.assign(data.url)
    })
  return (
    <Button variant="default" size="compact-md" onClick={open} loading={running === 'open'} mt={4}>
      {t('openFile', { name: message.file?.name ?? '' })}
    </Button>
  )
}

function UnsentMessage({ message, outbox }: { message: Unsent; outbox: Outbox }) {
  const { t } = useTranslation('chat')
  return (
    <div className={classes.message} data-own data-unsent data-note={message.note || undefined}>
      <div className={classes.by}>{t('you')}</div>
      <p className={classes.body} dir="auto">
        {message.body}
      </p>
      <div className={classes.at} role="status">
        {message.refusal
          ? t('notSent', { why: message.refusal })
          : t(outbox.isWaiting ? 'waitingForNetwork' : 'sending')}
      </div>
      {message.refusal && (
        <div className={classes.choices}>
          <Button size="compact-md" variant="default" onClick={() => outbox.retry(message.id)}>
            {t('tryAgain')}
          </Button>
          <Button size="compact-md" variant="subtle" color="red" onClick={() => outbox.discard(message.id)}>
            {t('discard')}
          </Button>
        </div>
      )}
    </div>
  )
}
