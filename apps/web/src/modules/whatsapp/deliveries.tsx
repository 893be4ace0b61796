import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatPhone } from '#domain/accounts/phone.ts'
import { messageStatuses } from '#domain/messaging/endpoints.ts'
import { listDeliveries, type WhatsappDelivery } from '#domain/whatsapp/endpoints.ts'
import { messageEvents } from '#entities/messaging/message-events.ts'
import { dateTime, wholeNumber } from '#locales/format.ts'
import { CardOfRows } from '#web/list/list-card.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { StatusDot, type Tone } from '#web/ui/status-dot.tsx'
import { useSurroundings } from '#web/ui/words.tsx'
import { useProblemWords } from './words.tsx'

const tones: Record<WhatsappDelivery['status'], Tone> = {
  queued: 'waiting',
  sent: 'progress',
  delivered: 'done',
  read: 'done',
  failed: 'stopped',
}

/** What a connection sent and has to send, newest first. */
export function Deliveries({ id }: { id: string }) {
  const { t } = useTranslation('whatsapp')
  const { language, say } = useSurroundings()
  const [open, setOpen] = useState<WhatsappDelivery | null>(null)
  const problemWords = useProblemWords()
  const time = (value: string | null) => (value ? dateTime(value, language) : '—')
  const eventName = ({ event }: WhatsappDelivery) =>
    event in messageEvents ? messageEvents[event as keyof typeof messageEvents][language] : t('testEvent')
  return (
    <>
      <CardOfRows<WhatsappDelivery>
        name="whatsapp-messages"
        prefix="m."
        title={t('deliveries')}
        endpoint={listDeliveries}
        params={{ id }}
        defaultSort="-createdAt"
        searchLabel={t('deliverySearch')}
        rowId={(row) => row.id}
        rowTitle={(row) => row.name ?? row.to}
        onOpen={setOpen}
        empty={{ title: t('deliveriesEmpty'), text: t('deliveriesEmptyText') }}
        columns={[
          { key: 'receiver', label: t('receiver'), cell: ({ name, to }) => name ?? formatPhone(to) },
          { key: 'to', label: t('number'), hidden: true, cell: ({ to }) => formatPhone(to) },
          { key: 'event', label: t('event'), cell: eventName },
          {
            key: 'status',
            label: t('status'),
            cell: ({ status }) => <StatusDot tone={tones[status]} label={t(`statuses.${status}`)} />,
          },
          { key: 'problem', label: t('reason'), cell: ({ problem }) => (problem ? problemWords(problem) : '—') },
          { key: 'createdAt', label: t('time'), sort: true, cell: ({ createdAt }) => time(createdAt) },
          { key: 'template', label: t('template'), hidden: true, cell: ({ template }) => template ?? '—' },
          {
            key: 'attempts',
            label: t('attempts'),
            hidden: true,
            numeric: true,
            cell: ({ attempts }) => wholeNumber(attempts),
          },
          { key: 'sentAt', label: t('sentAt'), hidden: true, cell: ({ sentAt }) => time(sentAt) },
          { key: 'deliveredAt', label: t('deliveredAt'), hidden: true, cell: ({ deliveredAt }) => time(deliveredAt) },
          { key: 'readAt', label: t('readAt'), hidden: true, cell: ({ readAt }) => time(readAt) },
        ]}
        filters={[
          {
            key: 'status',
            label: t('status'),
            kind: 'choice',
            quick: true,
            choices: messageStatuses.map((value) => ({ value, label: t(`statuses.${value}`) })),
          },
        ]}
      />
      {open && (
        <Modal
          opened
          onClose={() => setOpen(null)}
          title={eventName(open)}
          closeButtonProps={{ 'aria-label': say('actions.close') }}
        >
          <Facts
            facts={[
              [t('receiver'), open.name ?? '—'],
              [t('number'), formatPhone(open.to)],
              [t('status'), <StatusDot key="status" tone={tones[open.status]} label={t(`statuses.${open.status}`)} />],
              ...(open.problem ? ([[t('reason'), problemWords(open.problem)]] as [string, string][]) : []),
              ...(open.problemDetail ? ([[t('details'), open.problemDetail]] as [string, string][]) : []),
              ...(open.template ? ([[t('template'), open.template]] as [string, string][]) : []),
              [t('attempts'), wholeNumber(open.attempts)],
              [t('time'), time(open.createdAt)],
              [t('sentAt'), time(open.sentAt)],
              [t('deliveredAt'), time(open.deliveredAt)],
              [t('readAt'), time(open.readAt)],
            ]}
          />
        </Modal>
      )}
    </>
  )
}
