import { Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { WorkbookRecord } from '#domain/workbook/endpoints.ts'
import { sheetNameOf } from '#domain/workbook/sheets.ts'
import { getEntity } from '#entities/index.ts'
import { wholeNumber } from '#locales/format.ts'
import { Card } from '#web/ui/card.tsx'
import { ScrollBox } from '#web/ui/scroll-box.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

const always = ['new', 'changed', 'unchanged'] as const
const sometimes = ['wrong', 'waiting'] as const

/** Rows of each sheet to be added and changed, or already written. */
export function SheetCountsCard({ record }: { record: WorkbookRecord }) {
  const { t } = useTranslation('workbook')
  const { language } = useSurroundings()
  const isDone = record.status === 'done' || record.status === 'undone'
  const columns = [...always, ...sometimes.filter((key) => record.rows[key] > 0)]
  const title = t(isDone ? 'counts.titleDone' : 'counts.title')
  return (
    <Card title={title} flush>
      <ScrollBox style={{ overflowX: 'auto' }} tabIndex={0} role="group" aria-label={title}>
        <Table horizontalSpacing="lg">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('counts.sheet')}</Table.Th>
              {columns.map((key) => (
                <Table.Th key={key} scope="col" ta="right">
                  {t(`counts.${key}`)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {record.sheets.map((sheet) => (
              <Table.Tr key={sheet.slug}>
                <Table.Th scope="row" fw={400}>
                  {sheetNameOf(getEntity(sheet.slug), language)}
                </Table.Th>
                {columns.map((key) => (
                  <Table.Td key={key} ta="right" className="tabular" c={sheet[key] === 0 ? 'dimmed' : undefined}>
                    {wholeNumber(sheet[key])}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
      {record.rows.waiting > 0 && (
        <Text size="sm" c="dimmed" px="lg" py="md">
          {t('counts.waitingText')}
        </Text>
      )}
    </Card>
  )
}
