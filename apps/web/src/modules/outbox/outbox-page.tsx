import { Anchor, Button, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import type { Answer } from '#domain/endpoint.ts'
import { outbox } from '#domain/messaging/endpoints.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'
import quiet from '#web/ui/text/quiet.module.css'
import classes from './outbox.module.css'

/** Text with its URLs as links; links into the product open in this tab, as from a mail. */
function TextWithLinks({ text }: { text: string }) {
  return text.split(/(https?:\/\/[^\s<>"]+)/).map((part, index) =>
    index % 2 === 1 ? (
      <Anchor key={index} href={part} className={classes.link}>
        {part}
      </Anchor>
    ) : (
      part
    ),
  )
}

/** Messages to any address that the demo did not really send; exists only in demo mode. */
export default function OutboxPage() {
  const { t } = useTranslation('navigation')
  const queryClient = useQueryClient()
  const [search, setSearch] = useSearchParams()
  const to = search.get('to') ?? ''
  const chosenId = search.get('message')
  const [typedText, setTyped] = useState(to)
  const { data, isPending, isFetching, error } = useEndpoint(
    outbox,
    { query: { to: to || undefined, limit: 100 } },
    { refetchInterval: 5_000 },
  )
  const messages = data?.data ?? []
  const openMessage = messages.find((message) => message.id === chosenId)
  const change = (name: string, value: string | null) =>
    setSearch(
      (before) => {
        if (value) before.set(name, value)
        else before.delete(name)
        return before
      },
      { replace: name === 'to' },
    )

  return (
    <>
      <PageHeader
        title={useScreenTitle()}
        description={t('outbox.explain')}
        actions={
          <Button
            variant="default"
            loading={isFetching && !isPending}
            onClick={() => queryClient.invalidateQueries({ queryKey: keyOf(outbox) })}
          >
            {t('outbox.refresh')}
          </Button>
        }
      />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          change('to', typedText.trim())
        }}
      >
        <TextInput
          label={t('outbox.filter')}
          type="email"
          value={typedText}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={() => change('to', typedText.trim())}
          maw={400}
          mb="md"
        />
      </form>
      {error ? (
        <EmptyState title={t('outbox.unavailable')}>
          <Text c="dimmed">{error.message}</Text>
        </EmptyState>
      ) : isPending ? (
        <LoadingRows rows={6} height={64} />
      ) : messages.length === 0 ? (
        <EmptyState title={t('outbox.empty')} />
      ) : (
        <div className={classes.reader} data-open={openMessage ? true : undefined}>
          <MessageList messages={messages} chosenId={chosenId} onChoose={(id) => change('message', id)} />
          <div className={classes.letter}>
            {openMessage ? (
              <Letter message={openMessage} onBack={() => change('message', null)} />
            ) : (
              <EmptyState title={t('outbox.choose')} />
            )}
          </div>
        </div>
      )}
    </>
  )
}

type Message = Answer<typeof outbox>['data'][number]
type ListProps = { messages: readonly Message[]; chosenId: string | null; onChoose: (id: string) => void }

function MessageList({ messages, chosenId, onChoose }: ListProps) {
  return (
    <ul className={classes.list}>
      {messages.map((message) => (
        <li key={message.id}>
          <button
            type="button"
            className={classes.entry}
            aria-current={message.id === chosenId || undefined}
            onClick={() => onChoose(message.id)}
          >
            <span className={classes.subject}>{message.subject}</span>
            <span className={quiet.text}>{message.to}</span>
            <span className={quiet.text}>
              <DateText value={message.createdAt} as="datetime" />
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function Letter({ message, onBack }: { message: Message; onBack: () => void }) {
  const { t } = useTranslation('navigation')
  return (
    <Card title={message.subject}>
      <Button variant="subtle" className={classes.back} onClick={onBack} mb="sm" px={0}>
        {t('common:actions.back')}
      </Button>
      <dl className={classes.facts}>
        <dt>{t('outbox.to')}</dt>
        <dd>{message.to}</dd>
        <dt>{t('outbox.time')}</dt>
        <dd>
          <DateText value={message.createdAt} as="datetime" />
        </dd>
      </dl>
      <Text className={classes.body} lang={message.language} component="div">
        <TextWithLinks text={message.body} />
      </Text>
      {message.file && (
        <Text mt="md">
          {t('outbox.file')}:{' '}
          <Anchor href={message.file.url} download={message.file.name} className={classes.link}>
            {message.file.name}
          </Anchor>
        </Text>
      )}
      {message.link && !message.body.includes(message.link) && (
        <Text mt="md">
          <TextWithLinks text={new URL(message.link, location.origin).href} />
        </Text>
      )}
    </Card>
  )
}
