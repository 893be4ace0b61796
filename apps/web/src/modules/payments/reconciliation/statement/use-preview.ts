import { notifications } from '@mantine/notifications'
import { useEffect, useRef, useState } from 'react'
import { type BankAccount, previewStatement, type StatementPreview } from '#domain/payments/reconciliation/endpoints.ts'
import type { MappingDraft } from '#domain/payments/reconciliation/statement-draft.ts'
import type { StatementMapping } from '#domain/payments/reconciliation/statement-mapping.ts'
import { pathOf } from '#web/api/client.ts'
import { upload } from '#web/api/upload.ts'
import { draftOf, mappingFrom } from './mapping-draft.ts'

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

/** A chosen file, its column mapping, and what the server reads from it, again after each change. */
export function usePreview(account: BankAccount) {
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
    const path = pathOf(previewStatement.path, { id: account.id })
    const { data } = await upload<{ data: StatementPreview }>(path, form, undefined, options)
    // Previews may return out of order, so all but the latest are ignored.
    if (turn === lastTurn.current) setPreview(data)
    return data
  }

  const mapping = draft && mappingFrom(draft, preview?.rows ?? [])
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

  return {
    file,
    preview,
    draft,
    setDraft,
    /** Null while columns are missing. */
    mapping,
    chooseFile: async (statementFile: File, signal: AbortSignal) => {
      const data = await loadPreview(statementFile, null, { signal })
      setFile(statementFile)
      setDraft(data.format === 'mt940' ? null : account.mapping ? draftOf(account.mapping) : data.guess)
    },
    chooseAnother: () => setFile(null),
    reset: () => {
      setFile(null)
      setPreview(null)
      setDraft(null)
    },
  }
}
