import { Anchor, Badge, Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { readDashboard } from '#domain/admissions/endpoints.ts'
import type { Answer } from '#domain/endpoint.ts'
import { listMessages, readAllMessages, readMessage } from '#domain/messaging/endpoints.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'
import quiet from '#web/ui/text/quiet.module.css'
import classes from './messages-card.module.css'

const previewCount = 4

/** Messages from the university, newest first. */
export function MessagesCard() {
  const { t } = useTranslation(['dashboard', 'common'])
  const queryClient = useQueryClient()
  const [showsAll, setShowsAll] = useState(false)
  const { data, error, refetch } = useEndpoint(
    listMessages,
    { query: { per_page: showsAll ? 50 : previewCount } },
    { placeholderData: (previousPage) => previousPage },
  )
  const readAll = useMutation({
    mutationFn: () => sendOnce(readAllMessages),
    onSuccess: () =>
      Promise.all(
        [listMessages, readDashboard].map((endpoint) => queryClient.invalidateQueries({ queryKey: keyOf(endpoint) })),
      ),
  })
  const unread = data?.meta.unread ?? 0
  return (
    <Card
      title={
        <>
          {t('messages')} {unread > 0 && <Badge ml={8}>{t('unread', { count: unread })}</Badge>}
        </>
      }
      actions={
        unread > 0 && (
          <Button
            variant="subtle"
            size="compact-md"
            mih={44}
            onClick={() => readAll.mutate()}
            loading={readAll.isPending}
          >
            {t('readAll')}
          </Button>
        )
      }
      flush
    >
      {!data && (
        <div className={classes.foot}>
          <LoadingOrFailed error={error} onRetry={refetch} rows={3} />
        </div>
      )}
      {data?.data.length === 0 && <div className={classes.none}>{t('noMessages')}</div>}
      <ul className={classes.list}>
        {data?.data.map((message) => (
          <Message key={message.id} message={message} />
        ))}
      </ul>
      {!showsAll && data && data.meta.total > previewCount && (
        <div className={classes.foot}>
          <Button variant="default" onClick={() => setShowsAll(true)}>
            {t('allMessages')}
          </Button>
        </div>
      )}
    </Card>
  )
}

/** Milliseconds on screen before a message counts as read. */
const readingMs = 2_000

function Message({ message }: { message: Answer<typeof listMessages>['data'][number] }) {
  const { t } = useTranslation(['dashboard', 'common'])
  const { seenBy } = useSession()
  const queryClient = useQueryClient()
  const item = useRef<HTMLLIElement>(null)
  const { id } = message
  // Staff who view the page as the applicant do not mark messages as read.
  const isUnread = message.readAt === null && !seenBy
  useEffect(() => {
    if (!isUnread || !item.current) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const markRead = () =>
      sendOnce(readMessage, { params: { id } }).then(
        () => queryClient.invalidateQueries({ queryKey: keyOf(listMessages) }),
        // On failure the message stays new until the next visit.
        () => {},
      )
    const observer = new IntersectionObserver(
      ([entry]) => {
        clearTimeout(timer)
        if (entry?.isIntersecting) timer = setTimeout(markRead, readingMs)
      },
      { threshold: 0.5 },
    )
    observer.observe(item.current)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [id, isUnread, queryClient])
  return (
    <li ref={item} className={classes.message} data-read={message.readAt ? true : undefined}>
      <div className={classes.head}>
        <span className={classes.subject}>
          {message.subject}
          {!message.readAt && (
            <Badge size="sm" variant="light" ml={8} tt="none">
              {t('new')}
            </Badge>
          )}
        </span>
        <span className={quiet.text}>
          <DateText value={message.createdAt} as="datetime" />
        </span>
      </div>
      <p className={classes.body}>{message.body}</p>
      {message.link?.startsWith('/') && (
        <Anchor component={Link} to={message.link} aria-label={`${t('common:actions.open')}: ${message.subject}`}>
          {t('common:actions.open')}
        </Anchor>
      )}
    </li>
  )
}
