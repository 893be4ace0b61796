import { MultiSelect, NumberInput, Select, TagsInput, TextInput } from '@mantine/core'
import type { MappingDraft } from '#domain/payments/reconciliation/statement-draft.ts'
import { dateFormats } from '#domain/payments/reconciliation/statement-lines.ts'
import { encodings, type StatementMapping } from '#domain/payments/reconciliation/statement-mapping.ts'
import classes from '#web/modules/payments/reconciliation/reconciliation.module.css'
import { useReconciliationWords } from '#web/modules/payments/reconciliation/words.ts'

type Row = { number: number; cells: string[] }
type Props = { draft: MappingDraft; rows: readonly Row[]; encoding: string; onChange: (draft: MappingDraft) => void }

const delimiters = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'pipe' } as const

type Assignment = {
  draft: MappingDraft
  set: (change: Partial<MappingDraft>) => void
  /** Columns of the file, named by its headings. */
  columns: { value: string; label: string }[]
}

const choiceOf = (column: number | null) => (column === null ? null : String(column))
const numberOf = (value: string | null) => (value === null ? null : Number(value))

/** Assigns the columns of a bank's file, and the date and amount formats. */
export function MappingForm({ draft, rows, encoding, onChange }: Props) {
  const { t } = useReconciliationWords()
  const set = (change: Partial<MappingDraft>) => onChange({ ...draft, ...change })
  const header = rows.find(({ number }) => number === draft.headerLine)?.cells ?? []
  const columnCount = Math.max(0, ...rows.map(({ cells }) => cells.length))
  const columns = Array.from({ length: columnCount }, (_, index) => ({
    value: String(index),
    label: header[index]?.trim() || t('mapping.column', { number: index + 1 }),
  }))
  const assignment = { draft, set, columns }
  return (
    <div className={classes.fields}>
      <FileFormat draft={draft} set={set} encoding={encoding} />
      <RequiredColumn label={t('mapping.date')} name="date" {...assignment} />
      <Select
        label={t('mapping.dateFormat')}
        allowDeselect={false}
        data={[...dateFormats]}
        value={draft.dateFormat}
        onChange={(value) => value && set({ dateFormat: value as StatementMapping['dateFormat'] })}
      />
      <MultiSelect
        label={t('mapping.description')}
        withAsterisk
        maxValues={5}
        data={columns}
        value={draft.description.map(String)}
        error={draft.description.length === 0 ? t('mapping.choose') : undefined}
        onChange={(values) => set({ description: values.map(Number) })}
      />
      <Select
        label={t('mapping.reference')}
        clearable
        placeholder={t('mapping.none')}
        data={columns}
        value={choiceOf(draft.reference)}
        onChange={(value) => set({ reference: numberOf(value) })}
      />
      <AmountColumns {...assignment} />
      <Select
        label={t('mapping.balance')}
        clearable
        placeholder={t('mapping.none')}
        data={columns}
        value={choiceOf(draft.balance)}
        onChange={(value) => set({ balance: numberOf(value) })}
      />
      <NumberFormat draft={draft} set={set} />
      <TagsInput
        label={t('mapping.skip')}
        description={t('mapping.skipHelp')}
        maxTags={20}
        value={draft.skip}
        onChange={(skip) => set({ skip })}
      />
    </div>
  )
}

/** How the server splits the file into rows and columns. */
function FileFormat({ draft, set, encoding }: Omit<Assignment, 'columns'> & { encoding: string }) {
  const { t } = useReconciliationWords()
  return (
    <>
      <Select
        label={t('mapping.encoding')}
        allowDeselect={false}
        data={encodings.map((value) => ({
          value,
          label:
            value === 'auto' ? t('mapping.encodingFound', { encoding: encoding.toUpperCase() }) : value.toUpperCase(),
        }))}
        value={draft.encoding}
        onChange={(value) => value && set({ encoding: value as StatementMapping['encoding'] })}
      />
      <Select
        label={t('mapping.delimiter')}
        allowDeselect={false}
        data={Object.entries(delimiters).map(([value, name]) => ({ value, label: t(`mapping.delimiters.${name}`) }))}
        value={draft.delimiter}
        onChange={(value) => value && set({ delimiter: value as StatementMapping['delimiter'] })}
      />
      <NumberInput
        label={t('mapping.headerLine')}
        description={t('mapping.headerLineHelp')}
        min={0}
        max={50}
        allowDecimal={false}
        value={draft.headerLine}
        onChange={(value) => set({ headerLine: Number(value) || 0 })}
      />
    </>
  )
}

/** Amount columns: one signed column, one each for credit and debit, or one with a separate mark. */
function AmountColumns(assignment: Assignment) {
  const { draft, set } = assignment
  const { t } = useReconciliationWords()
  return (
    <>
      <Select
        label={t('mapping.kind')}
        allowDeselect={false}
        data={(['signed', 'two', 'marked'] as const).map((value) => ({ value, label: t(`mapping.kinds.${value}`) }))}
        value={draft.kind}
        onChange={(value) => value && set({ kind: value as MappingDraft['kind'] })}
      />
      {draft.kind === 'two' ? (
        <>
          <RequiredColumn label={t('mapping.credit')} name="credit" {...assignment} />
          <RequiredColumn label={t('mapping.debit')} name="debit" {...assignment} />
        </>
      ) : (
        <RequiredColumn label={t('mapping.amount')} name="amount" {...assignment} />
      )}
      {draft.kind === 'marked' && (
        <>
          <RequiredColumn label={t('mapping.mark')} name="mark" {...assignment} />
          <TextInput
            label={t('mapping.creditMark')}
            maxLength={20}
            value={draft.creditMark}
            onChange={(event) => set({ creditMark: event.currentTarget.value })}
          />
          <TextInput
            label={t('mapping.debitMark')}
            maxLength={20}
            value={draft.debitMark}
            onChange={(event) => set({ debitMark: event.currentTarget.value })}
          />
        </>
      )}
    </>
  )
}

function NumberFormat({ draft, set }: Omit<Assignment, 'columns'>) {
  const { t } = useReconciliationWords()
  const signField = (value: string) => ({
    value: value === '' ? 'none' : value,
    label: t(`mapping.signs.${value === '' ? 'none' : (value as ',')}`),
  })
  return (
    <>
      <Select
        label={t('mapping.decimal')}
        allowDeselect={false}
        data={[',', '.'].map(signField)}
        value={draft.decimal}
        onChange={(value) => value && set({ decimal: value as ',' })}
      />
      <Select
        label={t('mapping.thousands')}
        allowDeselect={false}
        data={['.', ',', ' ', "'", ''].map(signField)}
        value={draft.thousands === '' ? 'none' : draft.thousands}
        error={draft.decimal === draft.thousands ? t('mapping.same') : undefined}
        onChange={(value) => value && set({ thousands: (value === 'none' ? '' : value) as '.' })}
      />
    </>
  )
}

type ColumnProps = Assignment & { label: string; name: 'date' | 'credit' | 'debit' | 'amount' | 'mark' }

function RequiredColumn({ label, name, draft, set, columns }: ColumnProps) {
  const { t } = useReconciliationWords()
  return (
    <Select
      label={label}
      withAsterisk
      data={columns}
      value={choiceOf(draft[name])}
      error={draft[name] === null ? t('mapping.choose') : undefined}
      onChange={(value) => set({ [name]: numberOf(value) })}
    />
  )
}
