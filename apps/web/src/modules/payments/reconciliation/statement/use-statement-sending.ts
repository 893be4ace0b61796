import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type BankAccount,
  type ImportedStatement,
  importStatement,
  saveMapping,
} from '#domain/payments/reconciliation/endpoints.ts'
import type { StatementMapping } from '#domain/payments/reconciliation/statement-mapping.ts'
import { wholeNumber } from '#locales/format.ts'
import { type ApiError, pathOf } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { upload } from '#web/api/upload.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { useReconciliationWords } from '#web/modules/payments/reconciliation/words.ts'

type Statement = { account: BankAccount; file: File | null; mapping: StatementMapping | null; onSent: () => void }

/** Imports the statement; if the mapping changed, first asks for its approval. */
export function useStatementSending({ account, file, mapping, onSent }: Statement) {
  const { t } = useReconciliationWords()
  const queries = useQueryClient()
  const body = { ...(mapping && { mapping }), version: account.version }
  const mappingRequest = useMutation<unknown, ApiError, StatementMapping>({
    mutationFn: (changed) => sendOnce(saveMapping, { params: { id: account.id }, body: { ...body, mapping: changed } }),
    onSuccess: () => {
      notifications.show({ color: 'green', message: t('upload.askedMapping') })
      onSent()
    },
    onSettled: () => queries.invalidateQueries(),
  })
  const statementImport = useMutation<{ data: ImportedStatement }, ApiError, File>({
    mutationFn: async (statementFile) => {
      const form = new FormData()
      form.append('file', statementFile)
      return upload(pathOf(importStatement.path, { id: account.id }), form)
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
      onSent()
    },
    onSettled: () => queries.invalidateQueries(),
  })

  const checks = useChecks(saveMapping, body, { refusal: mappingRequest.error })

  const importFailure =
    statementImport.error && (Object.values(statementImport.error.fieldMessages)[0] ?? statementImport.error.message)
  return {
    mappingProps: checks.form,
    isPending: statementImport.isPending || mappingRequest.isPending,
    // Mapping errors are shown beside the button, because its parts have other names on screen.
    failure: importFailure ?? checks.formError ?? (mapping ? checks.errorOf('mapping') : null),
    importFile: () => file && statementImport.mutate(file),
    requestMapping: () => {
      if (checks.isReady() && mapping) mappingRequest.mutate(mapping)
    },
  }
}
