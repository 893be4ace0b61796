import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import {
  type BankAccount,
  type ImportedStatement,
  importStatement,
  previewStatement,
  type StatementPreview,
  saveMapping,
} from '#domain/payments/reconciliation/endpoints.ts'
import type { MappingDraft } from '#domain/payments/reconciliation/statement-draft.ts'
import { mostStatementBytes } from '#domain/payments/reconciliation/statement-lines.ts'
import type { StatementMapping } from '#domain/payments/reconciliation/statement-mapping.ts'
import { longDate, rupiahOfSen, wholeNumber } from '#locales/format.ts'
import type { ApiError } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { upload } from '#web/api/upload.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { FileDrop } from '#web/ui/form/file-drop.tsx'
import { useSurroundings } from '#web/ui/words.tsx'
import { draftOf, mappingFrom } from './mapping-draft.ts'
import { MappingForm } from './mapping-form.tsx'
import classes from './reconciliation.module.css'
import { useReconciliationWords } from './words.ts'

const acceptedTypes = ['text/csv', 'application/vnd.ms-excel', 'text/plain', '.sta', '.mt940', '.940']

const pathOf = (path: string, { id }: BankAccount) => path.replace(':id', id)

/** Uploads a statement: choose the file, preview it, assign the columns, import it. */
export function StatementUpload({ account }: { account: BankAccount }) {
  const { t } = useReconciliationWords()
  const queries = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const [preview, setPreview] = useState<StatementPreview | null>(null)
  const [draft, setDraft] = useState<MappingDraft | null>(null)
  const lastTurn = useRef(0)

  const loadPreview = async (
    statementFile: File,
    mapping: StatementMapping | null,
    options: Parameters<typeof upload>[3] = {},
  ) => {
    const turn = ++lastTurn.current
    const form = new FormData()
    if (mapping) form.append('mapping', JSON.stringify(mapping))
    form.append('file', statementFile)
    const { data } = await upload<{ data: StatementPreview }>(
      pathOf(previewStatement.path, account),
      form,
      undefined,
      options,
    )
    // Previews may return out of order: ignore all but the latest.
    if (turn === lastTurn.current) setPreview(data)
    return data
  }

  const rows = preview?.rows ?? []
  const mapping = draft && mappingFrom(draft, rows)
  const isMappingSaved =
    preview?.format === 'mt940' || (mapping && JSON.stringify(mapping) === JSON.stringify(account.mapping))
  const key = JSON.stringify(mapping ?? [draft?.delimiter, draft?.encoding])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the requested preview changes
  useEffect(() => {
    if (!file || !draft) return
    const timer = setTimeout(() => {
      const previewMapping = mapping ?? {
        ...provisional,
        encoding: draft.encoding,
        delimiter: draft.delimiter,
        headerLine: draft.headerLine,
      }
      loadPreview(file, previewMapping).catch((error: Error) =>
        notifications.show({ color: 'red', message: error.message }),
      )
    }, 300)
    return () => clearTimeout(timer)
  }, [key, draft?.headerLine])

  const reset = () => {
    setFile(null)
    setPreview(null)
    setDraft(null)
  }
  const body = { ...(mapping && { mapping }), version: account.version }
  const mappingRequest = useMutation<unknown, ApiError>({
    mutationFn: () => sendOnce(saveMapping, { params: { id: account.id }, body: { ...body, mapping: mapping! } }),
    onSuccess: () => {
      notifications.show({ color: 'green', message: t('upload.askedMapping') })
      reset()
    },
    onSettled: () => queries.invalidateQueries(),
  })
  const statementImport = useMutation<{ data: ImportedStatement }, ApiError>({
    mutationFn: async () => {
      const form = new FormData()
      form.append('file', file!)
      return upload(pathOf(importStatement.path, account), form)
    },
    onSuccess: ({ data }) => {
      notifications.show({
        color: 'green',
        message: [
          data.fresh > 0
            ? t('upload.done', { fresh: wholeNumber(data.fresh), matched: wholeNumber(data.matched) })
            : t('upload.nothingNew'),
          ...(data.held > 0 ? [t('upload.held', { count: data.held })] : []),
        ].join(' '),
      })
      reset()
    },
    onSettled: () => queries.invalidateQueries(),
  })

  const checks = useChecks(saveMapping, body, { refusal: mappingRequest.error })

  if (!file || !preview)
    return (
      <FileDrop
        label={t('upload.file')}
        accept={acceptedTypes}
        maxBytes={mostStatementBytes}
        shrink={false}
        hint={t('upload.hint')}
        onSend={async (statementFile, _onProgress, signal) => {
          const data = await loadPreview(statementFile, null, { signal })
          setFile(statementFile)
          setDraft(data.format === 'mt940' ? null : account.mapping ? draftOf(account.mapping) : data.guess)
        }}
      />
    )
  const importFailure =
    statementImport.error && (Object.values(statementImport.error.fieldMessages)[0] ?? statementImport.error.message)
  // Errors of the mapping stand beside the button: its parts have other names on the screen.
  const failureMessage = importFailure ?? checks.unsaid ?? (mapping ? checks.errorOf('mapping') : null)
  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="sm">
        <Text fw={600} className={classes.label}>
          {file.name}
        </Text>
        <Button variant="default" onClick={() => setFile(null)}>
          {t('upload.other')}
        </Button>
      </Group>
      {preview.format === 'csv' && draft && (
        <>
          <div>
            <Text fw={600} mb="xs">
              {t('upload.rows')}
            </Text>
            <Rows rows={rows.slice(0, 10)} header={draft.headerLine} label={t('upload.rows')} />
            {preview.lastRows.length > 0 && (
              <>
                <Text fw={600} mt="md" mb="xs">
                  {t('upload.lastRows')}
                </Text>
                <Rows rows={preview.lastRows} header={0} label={t('upload.lastRows')} />
              </>
            )}
          </div>
          <section aria-label={t('upload.mapping')} data-field="mapping" {...checks.form}>
            <Text fw={600} mb="xs">
              {t('upload.mapping')}
            </Text>
            <MappingForm draft={draft} rows={rows} encoding={preview.encoding} onChange={setDraft} />
          </section>
        </>
      )}
      {(preview.format === 'mt940' || mapping) && <WhatIsRead preview={preview} />}
      {failureMessage && <Alert color="red" variant="light" role="alert" children={failureMessage} />}
      {!isMappingSaved && <Text size="sm">{t('upload.askMappingText')}</Text>}
      <Group gap="sm">
        <Button
          loading={statementImport.isPending || mappingRequest.isPending}
          disabled={
            (preview.format === 'csv' && !mapping) ||
            preview.problemCount > 0 ||
            (!isMappingSaved && account.pending !== null)
          }
          onClick={() => (isMappingSaved ? statementImport.mutate() : checks.isReady() && mappingRequest.mutate())}
        >
          {t(isMappingSaved ? 'upload.import' : 'upload.askMapping')}
        </Button>
      </Group>
    </Stack>
  )
}

/** Placeholder mapping, so that the server splits the rows while columns are still missing. */
const provisional: StatementMapping = {
  encoding: 'auto',
  delimiter: ',',
  headerLine: 0,
  header: [],
  date: 0,
  dateFormat: 'dd/mm/yyyy',
  description: [0],
  reference: null,
  amount: { kind: 'signed', column: 0 },
  balance: null,
  decimal: ',',
  thousands: '.',
  skip: [],
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

function WhatIsRead({ preview }: { preview: StatementPreview }) {
  const { t } = useReconciliationWords()
  const { language } = useSurroundings()
  const { problems, problemCount, count, fresh, firstDay, lastDay, lookalikes } = preview
  return (
    <Stack gap="sm" role="status">
      <Text fw={600}>{t('upload.read')}</Text>
      {problemCount > 0 && (
        <Alert color="red" variant="light" title={t('upload.problems', { count: problemCount })}>
          <ul className={classes.problems}>
            {problems.map(({ line, message }, index) => (
              <li key={`${line} ${index}`}>{message}</li>
            ))}
          </ul>
          {problemCount > problems.length && (
            <Text mt="xs">{t('upload.moreProblems', { count: problemCount - problems.length })}</Text>
          )}
        </Alert>
      )}
      <Text>
        {count === 0 || !firstDay || !lastDay
          ? t('upload.foundNone')
          : t('upload.found', {
              lines: wholeNumber(count),
              from: longDate(firstDay, language),
              to: longDate(lastDay, language),
              credits: rupiahOfSen(preview.creditsSen),
              debits: rupiahOfSen(-preview.debitsSen),
            })}{' '}
        {count > 0 &&
          !preview.known &&
          problemCount === 0 &&
          (fresh === 0 ? t('upload.allKnown') : t('upload.fresh', { count: fresh }))}
      </Text>
      {preview.known && <Alert color="blue" variant="light" children={t('upload.known')} />}
      {lookalikes > 0 && !preview.known && (
        <Alert color="orange" variant="light" children={t('upload.lookalikes', { count: lookalikes })} />
      )}
      {preview.lines.length > 0 && <Lines lines={preview.lines} label={t('upload.firstLines')} />}
      {preview.lastLines.length > 0 && <Lines lines={preview.lastLines} label={t('upload.lastLines')} />}
    </Stack>
  )
}

/** Parsed lines, each above its row of the file. */
function Lines({ lines, label }: { lines: StatementPreview['lines']; label: string }) {
  const { t } = useReconciliationWords()
  const { language } = useSurroundings()
  return (
    <section className={classes.scroll} tabIndex={0} aria-label={label}>
      <table className={classes.rows}>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th>{t('upload.line')}</th>
            <th>{t('column.day')}</th>
            <th data-numeric>{t('column.amount')}</th>
            <th>{t('column.reference')}</th>
            <th>{t('column.description')}</th>
            <th data-numeric>{t('column.balance')}</th>
            <th>{t('lines.raw')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.lineNumber}>
              <th scope="row">{line.lineNumber}</th>
              <td>{longDate(line.day, language)}</td>
              <td data-numeric>{rupiahOfSen(line.amountSen)}</td>
              <td title={line.reference}>{line.reference || '—'}</td>
              <td title={line.description}>{line.description || '—'}</td>
              <td data-numeric>{line.balanceSen === null ? '—' : rupiahOfSen(line.balanceSen)}</td>
              <td data-raw>{line.raw}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
