import { Stack, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { EventFigures, EventView } from '#domain/events/endpoints.ts'
import { rupiah, wholeNumber } from '#locales/format.ts'
import classes from '#web/modules/events/events.module.css'
import { Card } from '#web/ui/card.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { ScrollBox } from '#web/ui/scroll-box.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { Money } from '#web/ui/text/money.tsx'

type Props = {
  figures: EventFigures | undefined
  error: Error | null
  onRetry: () => unknown
  costs: EventView['costs']
}

/** The funnel from invited to enrolled, the affiliates, and the costs. */
export function FigureCards({ figures, error, onRetry, costs }: Props) {
  if (!figures) return <LoadingOrFailed error={error} onRetry={onRetry} rows={4} />
  return (
    <div className={classes.columns}>
      <FunnelCard funnel={figures.funnel} />
      <Stack>
        <SharesCard shares={figures.shares} />
        {figures.cost && <CostCard cost={figures.cost} costs={costs} />}
      </Stack>
    </div>
  )
}

function FunnelCard({ funnel }: Pick<EventFigures, 'funnel'>) {
  const { t } = useTranslation('events')
  const most = Math.max(1, ...funnel.map(({ people }) => people ?? 0))
  return (
    <Card title={t('view.funnel')}>
      <ol className={classes.steps}>
        {funnel.map(({ step, people }) => (
          <li key={step}>
            <span className={classes.step}>
              <span>{t(`view.step.${step}`)}</span>
              <strong>{people === null ? t('view.unknown') : wholeNumber(people)}</strong>
            </span>
            <div className={classes.bar} style={{ width: `${((people ?? 0) / most) * 100}%` }} aria-hidden="true" />
          </li>
        ))}
      </ol>
      <Text size="sm" c="dimmed" mt="sm">
        {t('view.funnelText')}
      </Text>
    </Card>
  )
}

function SharesCard({ shares }: Pick<EventFigures, 'shares'>) {
  const { t } = useTranslation('events')
  if (shares.length === 0) return null
  return (
    <Card title={t('view.shares')}>
      <ScrollBox style={{ overflowX: 'auto' }} tabIndex={0} role="group" aria-label={t('view.shares')}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('column.affiliate')}</Table.Th>
              <Table.Th ta="right">{t('column.registered')}</Table.Th>
              <Table.Th ta="right">{t('column.attended')}</Table.Th>
              <Table.Th ta="right">{t('view.enrolled')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shares.map(({ affiliate, registered, attended, enrolled }) => (
              <Table.Tr key={affiliate ?? ''}>
                <Table.Td>{affiliate ?? t('view.ofNobody')}</Table.Td>
                {[registered, attended, enrolled].map((count, index) => (
                  <Table.Td key={index} ta="right">
                    {wholeNumber(count)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </Card>
  )
}

type Cost = NonNullable<EventFigures['cost']>

function CostCard({ cost, costs }: { cost: Cost; costs: EventView['costs'] }) {
  const { t } = useTranslation('events')
  const per = (amount: number | null) => (amount === null ? null : rupiah(amount))
  return (
    <Card title={t('view.cost')}>
      {costs.length === 0 ? (
        <Text c="dimmed">{t('view.noCost')}</Text>
      ) : (
        <Stack>
          <ScrollBox style={{ overflowX: 'auto' }} tabIndex={0} role="group" aria-label={t('view.cost')}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('form.costLabel')}</Table.Th>
                  <Table.Th ta="right">{t('view.planned')}</Table.Th>
                  <Table.Th ta="right">{t('view.actual')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {costs.map(({ label, planned, actual }, index) => (
                  <Table.Tr key={index}>
                    <Table.Td>{label}</Table.Td>
                    <Table.Td ta="right">
                      <Money amount={planned} />
                    </Table.Td>
                    <Table.Td ta="right">{actual === null ? '—' : <Money amount={actual} />}</Table.Td>
                  </Table.Tr>
                ))}
                <Table.Tr fw={600}>
                  <Table.Td>{t('view.total')}</Table.Td>
                  <Table.Td ta="right">
                    <Money amount={cost.planned} />
                  </Table.Td>
                  <Table.Td ta="right">
                    <Money amount={cost.actual} />
                  </Table.Td>
                </Table.Tr>
              </Table.Tbody>
            </Table>
          </ScrollBox>
          <Facts
            facts={[
              [t('view.perVisitor'), per(cost.perVisitor)],
              [t('view.perLead'), per(cost.perLead)],
              [t('view.perEnrolled'), per(cost.perEnrolled)],
            ]}
          />
        </Stack>
      )}
    </Card>
  )
}
