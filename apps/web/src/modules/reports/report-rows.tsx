import { Anchor, Button, Group, Table, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { navigationConstants } from '#domain/navigation/constants.ts'
import type { ReportCalls } from '#domain/reports/endpoints.ts'
import { rupiah, wholeNumber } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { ExportMenu } from '#web/list/bar/export-menu.tsx'
import { ScrollBox } from '#web/ui/scroll-box.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadFailed } from '#web/ui/states/load-failed.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { cellText } from './figure-text.ts'
import classes from './report.module.css'

type Props = { calls: ReportCalls; title: string; query: Record<string, string> }

const perPage = 25
const numeric = new Set(['number', 'decimal', 'money'])

/** Rows behind a figure, a page at a time; their number or sum equals the figure. */
export function ReportRows({ calls, title, query }: Props) {
  const { t } = useTranslation('reports')
  const list = useTranslation('list').t
  const { language } = useSurroundings()
  const [search, setSearch] = useState('')
  const [sort, setSort] = useState<string>()
  const rowQuery = { ...query, ...(search && { search }), ...(sort && { sort }) }
  const queryKey = JSON.stringify(rowQuery)
  const [turned, turn] = useState({ queryKey, page: 1 })
  const page = turned.queryKey === queryKey ? turned.page : 1
  const { data, error, refetch, isFetching } = useEndpoint(
    calls.listRows,
    { query: { ...rowQuery, page, per_page: perPage } },
    { placeholderData: keepPreviousData },
  )
  if (!data) return error ? <LoadFailed error={error} onRetry={refetch} /> : <LoadingRows rows={8} />
  const { columns, total, sum, searchable } = data.meta
  const pages = Math.max(1, Math.ceil(total / perPage))
  if (total === 0 && !search) return <EmptyState title={t('noLines')} children={t('noLinesText')} />
  return (
    <>
      <Group justify="space-between" px="md" pb="xs">
        <Text size="sm" role="status">
          {t('behindCount', { count: total, formatted: wholeNumber(total) })}
          {sum !== null && `, ${t('behindSum', { sum: rupiah(sum) })}`}
        </Text>
        <Group gap="xs" className="no-print">
          {searchable && <Search onSearch={setSearch} />}
          <ExportMenu path={calls.exportRows.path} title={title} query={rowQuery} columns={[]} />
        </Group>
      </Group>
      {total === 0 && <EmptyState title={t('noLines')} children={t('noLinesText')} />}
      <ScrollBox className={classes.scroll} aria-busy={isFetching}>
        <Table className={classes.table} highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ key, label, kind }, index) => (
                <Table.Th
                  key={key}
                  scope="col"
                  className={index === 0 ? classes.name : numeric.has(kind) ? classes.number : classes.text}
                  data-sticky={index === 0 ? 'left' : undefined}
                  aria-sort={sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : undefined}
                >
                  <UnstyledButton
                    fz="inherit"
                    fw="inherit"
                    ta="inherit"
                    aria-label={list('sortBy', { name: label })}
                    onClick={() => setSort(sort === key ? `-${key}` : key)}
                  >
                    {label}
                    {sort === key && ' ↑'}
                    {sort === `-${key}` && ' ↓'}
                  </UnstyledButton>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.data.map(({ id, path, cells }) => (
              <Table.Tr key={id}>
                {columns.map(({ key, kind }, index) => {
                  const text = cellText(cells[key], kind, language)
                  if (index > 0)
                    return (
                      <Table.Td key={key} className={numeric.has(kind) ? classes.number : classes.text}>
                        {text}
                      </Table.Td>
                    )
                  return (
                    <Table.Th key={key} scope="row" fw={500} className={classes.name} data-sticky="left">
                      {path ? (
                        <Anchor component={Link} to={path} inherit>
                          {text}
                        </Anchor>
                      ) : (
                        text
                      )}
                    </Table.Th>
                  )
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
      {pages > 1 && (
        <Group justify="flex-end" p="md" gap="sm" className="no-print">
          <Button
            variant="default"
            size="sm"
            disabled={page === 1}
            onClick={() => turn({ queryKey, page: page - 1 })}
            children={t('previous')}
          />
          <Text size="sm">{t('page', { page: wholeNumber(page), pages: wholeNumber(pages) })}</Text>
          <Button
            variant="default"
            size="sm"
            disabled={page >= pages}
            onClick={() => turn({ queryKey, page: page + 1 })}
            children={t('next')}
          />
        </Group>
      )}
    </>
  )
}

/** Searches names and codes once the product's minimum number of characters is typed. */
function Search({ onSearch }: { onSearch: (search: string) => void }) {
  const { t } = useTranslation('list')
  const search = useDebouncedCallback((typed: string) => {
    const text = typed.trim()
    onSearch(text.length >= navigationConstants.searchMinimumLength ? text : '')
  }, 250)
  return (
    <TextInput
      type="search"
      size="sm"
      aria-label={t('search')}
      placeholder={t('search')}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      onChange={(event) => search(event.currentTarget.value)}
    />
  )
}
