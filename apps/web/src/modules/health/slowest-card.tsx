import { Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { SlowRoute } from '#domain/health/endpoints.ts'
import { wholeNumber } from '#locales/format.ts'
import { Card } from '#web/ui/card.tsx'
import { ScrollBox } from '#web/ui/scroll-box.tsx'
import classes from './health.module.css'
import { useFacts } from './use-facts.ts'

/** Routes with the slowest answers in the last hour. */
export function SlowestCard({ routes }: { routes: readonly SlowRoute[] }) {
  const { t } = useTranslation('health')
  const { milliseconds } = useFacts()
  return (
    <Card title={t('slowest')}>
      <Text size="sm" c="dimmed" mb="sm">
        {routes.length > 0 ? t('slowestText') : t('slowestNone')}
      </Text>
      {routes.length > 0 && (
        <ScrollBox style={{ overflowX: 'auto' }} tabIndex={0} role="group" aria-label={t('slowest')}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('route')}</Table.Th>
                {([t('count'), t('half'), t('most'), t('longest'), t('failed')] as const).map((name) => (
                  <Table.Th key={name} ta="right">
                    {name}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody className="tabular">
              {routes.map(({ route, count, p50Ms, p95Ms, slowestMs, failed }) => (
                <Table.Tr key={route}>
                  <Table.Td>
                    <code>{route}</code>
                  </Table.Td>
                  <Table.Td ta="right" className={classes.number}>
                    {wholeNumber(count)}
                  </Table.Td>
                  <Table.Td ta="right" className={classes.number}>
                    {milliseconds(p50Ms)}
                  </Table.Td>
                  <Table.Td ta="right" className={classes.number}>
                    {milliseconds(p95Ms)}
                  </Table.Td>
                  <Table.Td ta="right" className={classes.number}>
                    {milliseconds(slowestMs)}
                  </Table.Td>
                  <Table.Td ta="right" className={classes.number}>
                    {wholeNumber(failed)}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollBox>
      )}
    </Card>
  )
}
