import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatPhone } from '#domain/accounts/phone.ts'
import { deliveredEvents, listDeliveries, type WhatsappDelivery } from '#domain/whatsapp/lists.ts'
import { dateTime, wholeNumber } from '#locales/format.ts'
import { ListCard } from '#web/list/list-card.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { StatusDot, type Tone } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { useProblemWords } from './words.tsx'

const tones: Record<WhatsappDelivery['status'], Tone> = {
  queued: 'waiting',
  sent: 'progress',
  delivered: 'done',
  read: 'done',
  failed: 'stopped',
}

/** Messages of a connection, sent and queued, newest first. */
export function Deliveries({ id }: { id: string }) {
  const { t } = useTranslation('whatsapp')
  const { language, say } = useSurroundings()
  const [openDelivery, setOpen] = useState<WhatsappDelivery | null>(null)
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
      {openDelivery && (
        <Modal
          opened
          onClose={() => setOpen(null)}
          title={eventName(openDelivery)}
          closeButtonProps={{ 'aria-label': say('actions.close') }}
        >
          <Facts
            facts={[
              [t('receiver'), openDelivery.name ?? '—'],
              [t('number'), formatPhone(openDelivery.to)],
              [
                t('status'),
                <StatusDot
                  key="status"
                  tone={tones[openDelivery.status]}
                  label={t(`statuses.${openDelivery.status}`)}
                />,
              ],
              ...(openDelivery.problem
                ? ([[t('reason'), problemWords(openDelivery.problem)]] as [string, string][])
                : []),
              ...(openDelivery.problemDetail
                ? ([[t('details'), openDelivery.problemDetail]] as [string, string][])
                : []),
              ...(openDelivery.template ? ([[t('template'), openDelivery.template]] as [string, string][]) : []),
              [t('attempts'), wholeNumber(openDelivery.attempts)],
              [t('time'), time(openDelivery.createdAt)],
              [t('sentAt'), time(openDelivery.sentAt)],
              [t('deliveredAt'), time(openDelivery.deliveredAt)],
              [t('readAt'), time(openDelivery.readAt)],
            ]}
          />
        </Modal>
      )}
    </>
  )
}
