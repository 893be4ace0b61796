import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { BankMessage } from '#domain/payments/banks/virtual-accounts/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { Card } from '#web/ui/card.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './virtual-account.module.css'

/** Messages exchanged with the bank, verbatim; rendered as text, never as markup. */
export function BankMessages({ messages }: { messages: readonly BankMessage[] }) {
  const { t } = useTranslation('banks')
  return (
    <Card title={t('detail.messages')}>
      {messages.length === 0 ? (
        <Text c="dimmed">{t('detail.messagesNone')}</Text>
      ) : (
        <>
          <Text size="sm" c="dimmed" mb="xs">
            {t('detail.messagesHelp')}
          </Text>
          {messages.map((message) => (
            <Message key={message.id} message={message} />
          ))}
        </>
      )}
    </Card>
  )
}

function Message({ message }: { message: BankMessage }) {
  const { t } = useTranslation('banks')
  const { language } = useSurroundings()
  const { at, from, what, reference, method, url, status, tookMs, error, sent, answered } = message
  const words =
    from === 'bank'
      ? t(`outcomes.${what as 'booked'}`, { defaultValue: what })
      : t(`calls.${what as 'issue'}`, { defaultValue: what })
  return (
    <details className={classes.message}>
      <summary>
        <Text span size="sm" fw={600}>
          {t(from === 'bank' ? 'detail.fromBank' : 'detail.fromUs')}
        </Text>
        <Text span size="sm">
          {words}
          {error && ` (${error})`}
        </Text>
        <Text span size="sm" c="dimmed" className="tabular">
          {status !== null && `${status} · `}
          {tookMs !== null && `${t('detail.took', { milliseconds: tookMs })} · `}
          {dateTime(at, language)}
        </Text>
      </summary>
      {(method || reference) && (
        <Text size="sm" mb={8} style={{ overflowWrap: 'anywhere' }}>
          {method ? `${method} ${url}` : reference}
        </Text>
      )}
      {sent !== null && <RawText label={t('detail.sent')} text={sent} />}
      {answered !== null && <RawText label={t('detail.answered')} text={answered} />}
    </details>
  )
}

/** Indents JSON; shows any other text unchanged. */
function RawText({ label, text }: { label: string; text: string }) {
  return (
    <>
      <Text size="sm" fw={500} mb={4}>
        {label}
      </Text>
      <pre className={classes.raw} tabIndex={0}>
        {indentJson(text)}
      </pre>
    </>
  )
}

function indentJson(text: string): string {
  // Only adds line breaks, because parsing and printing could change numbers and escapes.
  try {
    JSON.parse(text)
  } catch {
    return text
  }
  let depth = 0
  return text.replace(/"(?:[^"\\]|\\.)*"|[{}[\],:]|\s+/g, (part) => {
    if (part.startsWith('"')) return part
    if (part === ':') return ': '
    if (part === ',') return `,\n${'  '.repeat(depth)}`
    if (part === '{' || part === '[') return `${part}\n${'  '.repeat(++depth)}`
    if (part === '}' || part === ']') return `\n${'  '.repeat(--depth)}${part}`
    return ''
  })
}
