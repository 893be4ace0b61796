import { Button, Group, Pagination, Stack, Table, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CampaignSheet, downloadSheetProblems, listSheetProblems } from '#domain/campaigns/sheet-endpoints.ts'
import { wholeNumber } from '#locales/format.ts'
import { pathOf } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useDownload } from '#web/api/use-download.ts'
import { ScrollBox } from '#web/ui/scroll-box.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'

const perPage = 10

const csvName = (fileName: string) => `${fileName.replace(/\.[^.]*$/, '')}.csv`

/** Rows with problems, and a download of the rows that get no message. */
export function SheetProblems({ sheet: { id, fileName, problems, invalid } }: { sheet: CampaignSheet }) {
  const { t } = useTranslation(['send', 'campaigns', 'list'])
  const [page, setPage] = useState(1)
  const download = useDownload()
  const { data, error, refetch } = useEndpoint(
    listSheetProblems,
    { params: { id }, query: { page, per_page: perPage } },
    { enabled: problems > 0, placeholderData: keepPreviousData },
  )
  if (problems === 0) return null
  const pages = Math.ceil(problems / perPage)
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Text fw={600}>{t('sheet.problems', { count: problems, formatted: wholeNumber(problems) })}</Text>
        {invalid > 0 && (
          <Button
            variant="default"
            size="compact-md"
            loading={download.busy}
            leftSection={<IconDownload size={16} aria-hidden="true" />}
            onClick={() =>
              download.start(
                pathOf(downloadSheetProblems.path, { id }),
                t('campaigns:sheetFile.name', { file: csvName(fileName) }),
              )
            }
          >
            {t('sheet.download')}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {t('sheet.problemsHelp')}
      </Text>
      {data ? (
        <ScrollBox style={{ overflowX: 'auto' }} tabIndex={0} role="group" aria-label={t('sheet.problemsTable')}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('campaigns:sheetFile.number')}</Table.Th>
                <Table.Th>{t('campaigns:recipientColumn.name')}</Table.Th>
                <Table.Th>{t('campaigns:sheetFile.problems')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.data.map(({ number, name, problems: found }) => (
                <Table.Tr key={number}>
                  <Table.Td>{wholeNumber(number)}</Table.Td>
                  <Table.Td>{name ?? '—'}</Table.Td>
                  <Table.Td>
                    {found.map(({ column, code, value }) => (
                      <div key={`${column} ${code}`}>
                        {column && `${column}: `}
                        {t(`campaigns:sheetProblem.${code}`)}
                        {value && ` (${value})`}
                      </div>
                    ))}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollBox>
      ) : (
        <LoadingOrFailed error={error} onRetry={refetch} rows={3} />
      )}
      {pages > 1 && (
        <Pagination
          size="sm"
          total={pages}
          value={page}
          onChange={setPage}
          getItemProps={(number) => ({ 'aria-label': t('list:pageOf', { page: number, pages }) })}
          getControlProps={(control) => ({ 'aria-label': t(`list:page.${control}`) })}
        />
      )}
    </Stack>
  )
}
