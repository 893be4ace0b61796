import { Button } from '@mantine/core'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { shiftDay, universityCalendar } from '#domain/calendar.ts'
import type { ChatMessage } from '#domain/chat/endpoints.ts'
import { weekdayDate } from '#locales/format.ts'
import { LoadingOrFailed, Missing } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { MessageItem, type ReaderSide, UnsentMessage } from './message-item.tsx'
import type { UnsentItem } from './outbox.ts'
import classes from './thread.module.css'
import type { ThreadView } from './use-thread.ts'

type Props = {
  thread: ThreadView
  unsent: readonly UnsentItem[]
  isOffline: boolean
  side: ReaderSide
  isRoom?: boolean
  /** Sentence that says who is typing. Null if nobody is. */
  writing: string | null
  /** Shown above the first message once there are no earlier messages to load. */
  children?: React.ReactNode
}

/** Distance from the end that still counts as being at the end. */
const nearEndPx = 80
const continuedMs = 5 * 60_000
/** Announcements stay off this long after earlier messages load, because screen readers may notice a change late. */
const announcedMs = 1_000

const isContinued = (before: ChatMessage | undefined, message: ChatMessage, isNewDay: boolean) =>
  before !== undefined &&
  !isNewDay &&
  before.kind !== 'event' &&
  before.author === message.author &&
  before.name === message.name &&
  (before.kind === 'note') === (message.kind === 'note') &&
  new Date(message.at).getTime() - new Date(before.at).getTime() < continuedMs

/** Messages by day, oldest first. Scrolls to new messages while the reader is at the end. */
export function MessageList({ thread, unsent, isOffline, side, isRoom = false, writing, children }: Props) {
  const { t } = useTranslation('chat')
  const { messages, hasEarlier, isLoaded, isLoadingEarlier, error, store, mark } = thread
  const box = useRef<HTMLDivElement>(null)
  const [isAtEnd, setAtEnd] = useState(true)
  const [isSilent, setSilent] = useState(false)
  const silence = useRef<ReturnType<typeof setTimeout>>(undefined)
  const dayOf = (at: string) => universityCalendar().dayOf(new Date(at))
  const lastSeq = messages.at(-1)?.seq ?? 0
  const firstSeq = messages[0]?.seq ?? 0

  // At the end, stay there when new messages arrive. Elsewhere, keep the position when earlier messages load above.
  const place = useRef({ firstSeq: 0, height: 0 })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new message may move the end
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const { scrollHeight } = element
    if (isAtEnd) element.scrollTop = scrollHeight
    else if (firstSeq < place.current.firstSeq) element.scrollTop += scrollHeight - place.current.height
    place.current = { firstSeq, height: scrollHeight }
  }, [firstSeq, lastSeq, unsent.length, isLoaded, writing, isAtEnd])

  // Stay at the end when a phone's keyboard, a wider box or a refused message changes the height.
  useEffect(() => {
    const element = box.current
    if (!element || !isAtEnd) return
    const observer = new ResizeObserver(() => {
      element.scrollTop = element.scrollHeight
    })
    for (const part of [element, ...element.querySelectorAll('ol')]) observer.observe(part)
    return () => observer.disconnect()
  }, [isAtEnd])

  useEffect(() => {
    if (!isAtEnd || lastSeq === 0) return
    const see = () => document.visibilityState === 'visible' && mark(lastSeq)
    see()
    document.addEventListener('visibilitychange', see)
    return () => document.removeEventListener('visibilitychange', see)
  }, [isAtEnd, lastSeq, mark])

  const readSeq = side === 'person' ? thread.officeReadSeq : thread.personReadSeq
  const readEarlier = async () => {
    clearTimeout(silence.current)
    setSilent(true)
    await store.readEarlier()
    silence.current = setTimeout(() => setSilent(false), announcedMs)
    // If the button had the focus and has disappeared, moves the focus to the list.
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true })
  }
  const toEnd = () => {
    box.current?.scrollTo({ top: box.current.scrollHeight })
    setAtEnd(true)
  }
  return (
    <div className={classes.frame}>
      <div
        ref={box}
        className={classes.scroll}
        role="log"
        // Off while earlier messages load and for `announcedMs` afterwards: screen readers must not announce them.
        aria-live={isSilent ? 'off' : 'polite'}
        aria-label={t('log')}
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) =>
          setAtEnd(scrollHeight - scrollTop - clientHeight < nearEndPx)
        }
      >
        {hasEarlier && (
          <Button variant="default" loading={isLoadingEarlier} onClick={readEarlier}>
            {t('earlier')}
          </Button>
        )}
        {!hasEarlier && isLoaded && children}
        {!isLoaded && <LoadingOrFailed error={error} onRetry={store.catchUp} rows={4} height={56} />}
        <ol className={classes.list}>
          {messages.map((message, index) => {
            const before = messages[index - 1]
            const isNewDay = !before || dayOf(before.at) !== dayOf(message.at)
            return [
              isNewDay && <DaySeparator key={dayOf(message.at)} day={dayOf(message.at)} />,
              <MessageItem
                onChange={store.add}
                key={message.id}
                {...{ message, side, isRoom }}
                isContinued={isContinued(before, message, isNewDay)}
                isRead={message.seq <= readSeq}
              />,
            ]
          })}
          {unsent.map((item) => (
            <UnsentMessage key={item.id} {...{ item, isOffline }} seenSeq={lastSeq} />
          ))}
        </ol>
        {isLoaded && !isOffline && <Missing error={error} onRetry={store.catchUp} />}
        {writing !== null && (
          <p className={classes.writing} aria-live="off">
            {writing}
          </p>
        )}
      </div>
      {!isAtEnd && (
        <Button className={classes.newest} size="compact-md" onClick={toEnd}>
          {t('newest')}
        </Button>
      )}
    </div>
  )
}

function DaySeparator({ day }: { day: string }) {
  const { t } = useTranslation('chat')
  const { language } = useSurroundings()
  const today = universityCalendar().dayOf(new Date())
  const text = day === today ? t('today') : day === shiftDay(today, -1) ? t('yesterday') : weekdayDate(day, language)
  return (
    <li className={classes.day}>
      <span>{text}</span>
    </li>
  )
}
