import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { BankAccount, StatementPreview } from '#domain/payments/reconciliation/endpoints.ts'
import { mostStatementBytes } from '#domain/payments/reconciliation/statement-lines.ts'
import classes from '#web/modules/payments/reconciliation/reconciliation.module.css'
import { useReconciliationWords } from '#web/modules/payments/reconciliation/words.ts'
import { FileDrop } from '#web/ui/form/file-drop.tsx'
import { MappingForm } from './mapping-form.tsx'
import { usePreview } from './use-preview.ts'
import { useStatementSending } from './use-statement-sending.ts'
import { WhatIsRead } from './what-is-read.tsx'

const acceptedTypes = [
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'text/csv',
  'application/vnd.ms-excel',
  'text/plain',
  '.sta',
  '.mt940',
  '.940',
]

/** Uploads a statement: choose the file, preview it, assign columns, import it. */
export function StatementUpload({ account }: { account: BankAccount }) {
  const { t } = useReconciliationWords()
  const { file, preview, draft, setDraft, mapping, chooseFile, chooseAnother, reset } = usePreview(account)
  const sending = useStatementSending({ account, file, mapping, onSent: reset })

  if (!file || !preview)
    return (
      <FileDrop
        label={t('upload.file')}
        accept={acceptedTypes}
        maxBytes={mostStatementBytes}
        shrink={false}
        hint={t('upload.hint')}
        onSend={(statementFile, _onProgress, signal) => chooseFile(statementFile, signal)}
      />
    )
  const isMappingSaved =
    preview.format === 'mt940' || (mapping && JSON.stringify(mapping) === JSON.stringify(account.mapping))
  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="sm">
        <Text fw={600} className={classes.label}>
          {file.name}
        </Text>
        <Button variant="default" onClick={chooseAnother}>
          {t('upload.other')}
        </Button>
      </Group>
      {preview.format !== 'mt940' && draft && (
        <>
          <FileRows preview={preview} header={draft.headerLine} />
          <section aria-label={t('upload.mapping')} data-field="mapping" {...sending.mappingProps}>
            <Text fw={600} mb="xs">
              {t('upload.mapping')}
            </Text>
            <MappingForm draft={draft} rows={preview.rows} encoding={preview.encoding} onChange={setDraft} />
          </section>
        </>
      )}
      {(preview.format === 'mt940' || mapping) && <WhatIsRead preview={preview} />}
      {sending.failure && <Alert color="red" variant="light" role="alert" children={sending.failure} />}
      {!isMappingSaved && <Text size="sm">{t('upload.askMappingText')}</Text>}
      <Group gap="sm">
        <Button
          loading={sending.isPending}
          disabled={
            (preview.format !== 'mt940' && !mapping) ||
            preview.problemCount > 0 ||
            (!isMappingSaved && account.pending !== null)
          }
          onClick={isMappingSaved ? sending.importFile : sending.requestMapping}
        >
          {t(isMappingSaved ? 'upload.import' : 'upload.askMapping')}
        </Button>
      </Group>
    </Stack>
  )
}

/** First and last rows of the file, unchanged, with the heading row marked. */
function FileRows({ preview, header }: { preview: StatementPreview; header: number }) {
  const { t } = useReconciliationWords()
  return (
    <div>
      <Text fw={600} mb="xs">
        {t('upload.rows')}
      </Text>
      <Rows rows={preview.rows.slice(0, 10)} header={header} label={t('upload.rows')} />
      {preview.lastRows.length > 0 && (
        <>
          <Text fw={600} mt="md" mb="xs">
            {t('upload.lastRows')}
          </Text>
          <Rows rows={preview.lastRows} header={0} label={t('upload.lastRows')} />
        </>
      )}
    </div>
  )
}

function Rows({ rows, header, label }: { rows: StatementPreview['rows']; header: number; label: string }) {
  return (
    <section className={classes.scroll} tabIndex={0} aria-label={label}>
      <table className={classes.rows}>
        <tbody>
          {rows.map(({ number, cells }) => (
            <tr key={number} data-header={number === header || undefined}>
              <th scope="row">{number}</th>
              {cells.map((cell, index) => (
                <td key={index} title={cell}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
