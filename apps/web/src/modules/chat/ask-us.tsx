import { Button, Indicator } from '@mantine/core'
import { IconMessageCircle } from '@tabler/icons-react'
import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { readOwnChat } from '#domain/chat/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'
import { hasUnsent, showAsk, useIsAskOpen } from './ask-store.ts'

const OwnChatDrawer = lazyPart(() => import('./own-chat-drawer.tsx'))

const everyMinute = 60_000

/** Props for the buttons that open the conversation, and the number of unread answers. */
function useAsk() {
  const { t } = useTranslation('navigation')
  const isOpen = useIsAskOpen()
  // A missing network, 429 and 503 open no error dialog, because the connection notice reports them. A visible page
  // reads again within a minute.
  const { data, error } = useEndpoint(readOwnChat, {}, { quietAs: 'ownChat', refetchInterval: everyMinute })
  const unread = error ? 0 : (data?.data.unread ?? 0)
  return {
    word: t('ask'),
    unread,
    button: {
      onClick: () => showAsk(true),
      'aria-haspopup': 'dialog',
      'aria-expanded': isOpen,
      // Begins with the visible text, so that voice control finds the button.
      'aria-label': unread > 0 ? t('askUnread', { count: unread }) : t('ask'),
    } as const,
  }
}

const badgeOf = (unread: number) => ({
  disabled: unread === 0,
  label: unread > 9 ? '9+' : unread,
  size: 18,
  color: 'red.9',
  zIndex: 1,
})

/** Header button that opens the applicant's conversation with the office. */
export function AskButton() {
  const { word, unread, button } = useAsk()
  return (
    <Indicator {...badgeOf(unread)} offset={6}>
      <Button
        {...button}
        variant="subtle"
        color="gray"
        c="inherit"
        mih={44}
        px="sm"
        leftSection={<IconMessageCircle size={20} aria-hidden />}
      >
        {word}
      </Button>
    </Indicator>
  )
}

/** Bottom bar entry that opens the applicant's conversation. */
export function AskEntry({ className }: { className: string | undefined }) {
  const { word, unread, button } = useAsk()
  return (
    <button type="button" className={className} {...button}>
      <Indicator {...badgeOf(unread)} offset={2}>
        <IconMessageCircle size={22} stroke={1.7} aria-hidden style={{ display: 'block' }} />
      </Indicator>
      <span>{word}</span>
    </button>
  )
}

/** Drawer with the applicant's conversation, loaded when needed. */
export function AskDrawer() {
  const { user } = useSession()
  const isOpen = useIsAskOpen()
  const { pathname } = useLocation()
  // If messages are unsent, loads the drawer at once, because the drawer sends them.
  const [isNeeded, setNeeded] = useState(() => hasUnsent(user?.id))
  if (isOpen && !isNeeded) setNeeded(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link in the conversation leads to a page behind the drawer
  useEffect(() => () => showAsk(false), [pathname])
  return (
    isNeeded && (
      <Suspense>
        <OwnChatDrawer isOpen={isOpen} onClose={() => showAsk(false)} />
      </Suspense>
    )
  )
}

// Loading usually needs no network, because the chat loaded the same file when the answers were written.
const SendsOutbox = lazyPart(async () => ({ default: (await import('./thread/outbox.ts')).SendsOutbox }))

/** Sends answers that were still unsent when their author left the chat. */
export function UnsentAnswers() {
  const { user } = useSession()
  // Renders again on navigation, to look for unsent answers.
  useLocation()
  return (
    hasUnsent(user?.id) && (
      <Suspense>
        <SendsOutbox />
      </Suspense>
    )
  )
}
