import { ActionIcon, Button, Group, Indicator, Popover, Text, VisuallyHidden } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { listMessages, readAllMessages, readMessage } from '#domain/messaging/endpoints.ts'
import { navigationConstants } from '#domain/navigation/constants.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'
import classes from './header.module.css'

const everyMinute = 60_000

/** Path of a link within the product; null for any other address. */
function ownPath(link: string | null): string | null {
  if (!link) return null
  try {
    const url = new URL(link, location.origin)
    return url.origin === location.origin ? url.pathname + url.search + url.hash : null
  } catch {
    return null
  }
}

/** Messages to the signed-in user. A failed read opens no dialog, because the next read follows within a minute. */
export function NotificationsBell() {
  const { t } = useTranslation('navigation')
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [open, setOpen] = useState(false)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigating closes the popover
  useEffect(() => setOpen(false), [pathname])
  const { data, error, refetch } = useEndpoint(
    listMessages,
    { query: { per_page: 10 } },
    { quietAs: 'bell', refetchInterval: everyMinute },
  )
  const refetchMessages = () => queryClient.invalidateQueries({ queryKey: keyOf(listMessages) })
  const readOne = useMutation({
    mutationFn: (id: string) => sendOnce(readMessage, { params: { id } }),
    onSettled: refetchMessages,
  })
  const readAll = useMutation({ mutationFn: () => sendOnce(readAllMessages), onSettled: refetchMessages })
  const unread = data?.meta.unread ?? 0

  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      width={360}
      trapFocus
      returnFocus
      zIndex={navigationConstants.dropdownZIndex}
    >
      <Indicator
        disabled={unread === 0}
        label={unread > 9 ? '9+' : unread}
        size={18}
        offset={10}
        color="red.9"
        zIndex={1}
      >
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            c="inherit"
            size={44}
            onClick={() => setOpen(!open)}
            aria-label={unread ? t('notificationsUnread', { count: unread }) : t('notifications')}
          >
            <IconBell size={20} aria-hidden />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p="xs" maw="calc(100vw - 16px)" aria-label={t('notifications')}>
        <Group justify="space-between" px={12} py={4}>
          <Text fw={600}>{t('notifications')}</Text>
          {unread > 0 && (
            <Button variant="subtle" size="compact-sm" onClick={() => readAll.mutate()} loading={readAll.isPending}>
              {t('markAllRead')}
            </Button>
          )}
        </Group>
        {!data ? (
          <LoadingOrFailed error={error} onRetry={refetch} rows={3} height={56} />
        ) : data.data.length === 0 ? (
          <Text c="dimmed" ta="center" py="md">
            {t('noNotifications')}
          </Text>
        ) : (
          <ul className={classes.messages}>
            {data.data.map((message) => (
              <li key={message.id}>
                <button
                  type="button"
                  className={classes.message}
                  data-unread={message.readAt === null || undefined}
                  onClick={() => {
                    if (message.readAt === null) readOne.mutate(message.id)
                    const path = ownPath(message.link)
                    if (!path) return
                    setOpen(false)
                    navigate(path)
                  }}
                >
                  <Text size="sm" fw={message.readAt === null ? 650 : 400}>
                    {message.subject}
                    {message.readAt === null && <VisuallyHidden> ({t('unread')})</VisuallyHidden>}
                  </Text>
                  <Text size="sm" lineClamp={3}>
                    {message.body}
                  </Text>
                  <Text size="xs" c="dimmed">
                    <DateText value={message.createdAt} as="datetime" />
                  </Text>
                </button>
              </li>
            ))}
          </ul>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
