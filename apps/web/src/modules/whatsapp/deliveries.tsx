import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatPhone } from '#domain/accounts/phone.ts'
import { deliveredEvents, listDeliveries, type WhatsappDelivery } from '#domain/whatsapp/lists.ts'
import { dateTime, wholeNumber } from '#locales/format.ts'
import { ListCard } from '#web/list/list-card.tsx'
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
  const eventName = ({ event }: WhatsappDelivery) => deliveredEvents[event]?.[language] ?? event
  return (
    <>
      <ListCard
        list={listDeliveries}
        prefix="m."
        title={t('deliveries')}
        params={{ id }}
        searchLabel={t('deliverySearch')}
        rowTitle={(row) => row.receiver}
        onOpen={setOpen}
        empty={{ title: t('deliveriesEmpty'), text: t('deliveriesEmptyText') }}
        cells={{
          receiver: ({ name, to }) => name ?? formatPhone(to),
          to: ({ to }) => formatPhone(to),
          status: ({ status }) => <StatusDot tone={tones[status]} label={t(`statuses.${status}`)} />,
        }}
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
