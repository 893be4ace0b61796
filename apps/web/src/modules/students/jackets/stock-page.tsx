import { Anchor, Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { countJackets, receiveJackets } from '#domain/students/jackets/endpoints.ts'
import { listJacketMovements, listJacketStock } from '#domain/students/jackets/lists.ts'
import { wholeNumber } from '#locales/format.ts'
import { ListCard } from '#web/list/list-card.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import classes from './jackets.module.css'
import { CountDialog, DeliveryDialog } from './stock-dialogs.tsx'

/** Sizes needed, in stock and to order, and all stock movements. */
export default function StockPage() {
  const { t } = useTranslation('jackets')
  const title = useScreenTitle()
  const { mayCall } = useSession()
  const [open, setOpen] = useState<'delivery' | 'count' | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      <PageHeader
        title={title}
        description={t('stock.text')}
        actions={
          <>
            {mayCall(countJackets) && (
              <Button variant="default" onClick={() => setOpen('count')} children={t('count.open')} />
            )}
            {mayCall(receiveJackets) && <Button onClick={() => setOpen('delivery')} children={t('delivery.open')} />}
          </>
        }
      />
      <Stack>
        <ListCard
          list={listJacketStock}
          prefix="s."
          title={t('stock.title')}
          rowTitle={({ size }) => size}
          rowId={({ size }) => size}
          cells={{
            waiting: ({ waiting, share }) => (
              <div className={classes.bar}>
                <div className={classes.track} aria-hidden="true">
                  <div className={classes.fill} style={{ width: `${share * 100}%` }} />
                </div>
                {wholeNumber(waiting)}
              </div>
            ),
            short: ({ short }) => (short > 0 ? <StatusDot tone="attention" label={wholeNumber(short)} /> : '0'),
          }}
          summary={({ sums }) => t('stock.sums', sums)}
          empty={{ title: t('stock.empty') }}
        />
        <Anchor component={Link} to="/jaket-mahasiswa?state=no_size">
          {t('stock.noSize')}
        </Anchor>
        <ListCard
          list={listJacketMovements}
          prefix="m."
          title={t('movements.title')}
          rowTitle={({ kind, size }) => `${t(`movement.${kind}`)} ${size}`}
          cells={{ quantity: ({ quantity }) => (quantity > 0 ? `+${quantity}` : `−${-quantity}`) }}
          empty={{ title: t('movements.empty'), text: t('movements.emptyText') }}
        />
      </Stack>
      {open === 'delivery' && <DeliveryDialog onClose={close} />}
      {open === 'count' && <CountDialog onClose={close} />}
    </>
  )
}
