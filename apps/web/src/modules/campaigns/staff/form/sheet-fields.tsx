import { Alert, Select, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { maxSheetBytes } from '#domain/campaigns/campaigns.ts'
import { assignSheetColumns, type CampaignSheet, readSheet, uploadSheet } from '#domain/campaigns/sheet-endpoints.ts'
import type { Answer } from '#domain/endpoint.ts'
import { wholeNumber } from '#locales/format.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { upload } from '#web/api/upload.ts'
import type { CheckedField } from '#web/api/use-checks.ts'
import { FileDrop } from '#web/ui/form/file-drop.tsx'
import { ScrollBox } from '#web/ui/scroll-box.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { SheetProblems } from './sheet-problems.tsx'

const acceptedTypes = ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'text/csv']

type Props = Pick<CheckedField, 'error' | 'wrapperProps'> & {
  /** Id of the uploaded sheet; null before the upload. */
  value: string | null
  onChange: (sheetId: string) => void
}

/** Uploads a spreadsheet with one person per row. Shows its columns, first rows and problems. */
export function SheetFields({ value: sheetId, onChange, error: problem, wrapperProps }: Props) {
  const { t } = useTranslation('send')
  const queries = useQueryClient()
  const { data, error, refetch } = useEndpoint(readSheet, { params: { id: sheetId ?? '' } }, { enabled: !!sheetId })
  const sheet = sheetId ? data?.data : undefined
  return (
    <Stack gap="md" {...wrapperProps}>
      <FileDrop
        label={t('sheet.file')}
        hint={t('sheet.hint')}
        accept={acceptedTypes}
        maxBytes={maxSheetBytes}
        shrink={false}
        current={sheet ? { name: sheet.fileName } : null}
        onSend={async (file, onProgress, signal) => {
          const form = new FormData()
          form.append('file', file)
          const answer = await upload<Answer<typeof uploadSheet>>(uploadSheet.path, form, onProgress, { signal })
          queries.setQueryData(keyOf(readSheet, { params: { id: answer.data.id } }), answer)
          onChange(answer.data.id)
        }}
      />
      {problem && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
      {sheetId && !sheet && <LoadingOrFailed error={error} onRetry={refetch} rows={3} />}
      {sheet && (
        <>
          <Columns key={sheet.id} sheet={sheet} />
          <Sample sheet={sheet} />
          <SheetProblems sheet={sheet} />
        </>
      )}
    </Stack>
  )
}

const columnFields = ['phoneColumn', 'emailColumn', 'nameColumn', 'languageColumn'] as const

/** Chooses the columns for phone, e-mail, name and language. After each choice the server checks the rows again. */
function Columns({ sheet }: { sheet: CampaignSheet }) {
  const { t } = useTranslation('send')
  const queries = useQueryClient()
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const { id, phoneColumn, emailColumn, nameColumn, languageColumn } = sheet
  const chosen = { phoneColumn, emailColumn, nameColumn, languageColumn }
  const assign = async (field: (typeof columnFields)[number], column: string | null) => {
    setSaving(true)
    setFailure(null)
    try {
      const answer = await sendOnce(assignSheetColumns, { params: { id }, body: { ...chosen, [field]: column } })
      queries.setQueryData(keyOf(readSheet, { params: { id } }), answer)
      await queries.invalidateQueries()
    } catch (error) {
      setFailure((error as Error).message)
    } finally {
      setSaving(false)
    }
  }
  return (
    <Stack gap="xs">
      <Text fw={600}>{t('sheet.columns')}</Text>
      <Text size="sm" c="dimmed">
        {t('sheet.columnsHelp')}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        {columnFields.map((field) => (
          <Select
            key={field}
            label={t(`sheet.${field}`)}
            placeholder={t('sheet.noColumn')}
            data={sheet.columns}
            value={chosen[field]}
            disabled={isSaving}
            clearable
            clearButtonProps={{ 'aria-label': t('sheet.clear', { name: t(`sheet.${field}`) }) }}
            onChange={(column) => assign(field, column)}
          />
        ))}
      </SimpleGrid>
      {failure && (
        <Alert color="red" variant="light" role="alert">
          {failure}
        </Alert>
      )}
    </Stack>
  )
}

function Sample({ sheet: { columns, sample, rows, invalid, notes } }: { sheet: CampaignSheet }) {
  const { t } = useTranslation('send')
  return (
    <Stack gap="xs">
      <Text role="status">
        {t('sheet.rows', { count: rows, formatted: wholeNumber(rows), usable: wholeNumber(rows - invalid) })}
      </Text>
      {notes.map((note) => (
        <Text key={note}>{note}</Text>
      ))}
      <ScrollBox style={{ overflowX: 'auto' }} tabIndex={0} role="group" aria-label={t('sheet.sample')}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th key={column}>{column}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sample.map((row, index) => (
              <Table.Tr key={index}>
                {columns.map((column) => (
                  <Table.Td key={column}>{row[column] ?? ''}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </Stack>
  )
}
