import { ActionIcon, Text, Tooltip } from '@mantine/core'
import { IconCalendarDollar, IconCalendarOff } from '@tabler/icons-react'
import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { readBlock } from '#domain/fees/amounts.ts'
import type { TuitionGrid } from '#domain/fees/endpoints.ts'
import { rupiah, wholeNumber } from '#locales/format.ts'
import classes from './tuition.module.css'
import { keyOf, type TuitionEdits } from './use-tuition-edits.ts'

type Props = {
  grid: TuitionGrid
  edits: TuitionEdits
  /** Visible columns. */
  classIds: readonly string[]
  /** Changes another person saved, by the key of the cell. */
  conflicts: Readonly<Record<string, string>>
  readOnly: boolean
}

/** Grid of components by class programmes, used like a spreadsheet: arrows, Enter, and pasting blocks of cells. */
export function TuitionTable({ grid, edits, classIds, conflicts, readOnly }: Props) {
  const { t } = useTranslation('fees')
  const table = useRef<HTMLTableElement>(null)
  const { components } = grid
  const columns = grid.classProgrammes.filter(({ id }) => classIds.includes(id))
  const general = new Map(
    grid.everyTrack.map((cell) => [keyOf(cell.feeComponentId, cell.classProgrammeId), cell.amount]),
  )
  const inputPropsOf = (componentId: string, classId: string) => {
    const key = keyOf(componentId, classId)
    return edits.amountAt(key) ?? general.get(key) ?? 0
  }

  const focus = (row: number, column: number) => {
    const cell = table.current?.querySelector<HTMLInputElement>(`[data-row="${row}"][data-column="${column}"]`)
    cell?.focus()
    return !!cell
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>, row: number, column: number) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const input = event.currentTarget
    const isAllSelected = input.selectionStart === 0 && input.selectionEnd === input.value.length
    const atStart = isAllSelected || (input.selectionStart === 0 && input.selectionEnd === 0)
    const atEnd =
      isAllSelected || (input.selectionStart === input.value.length && input.selectionEnd === input.value.length)
    const key = keyOf(components[row]!.id, columns[column]!.id)
    const moves: Record<string, () => boolean> = {
      ArrowUp: () => focus(row - 1, column),
      ArrowDown: () => focus(row + 1, column),
      ArrowLeft: () => atStart && focus(row, column - 1),
      ArrowRight: () => atEnd && focus(row, column + 1),
      Enter: () =>
        event.shiftKey
          ? focus(row - 1, column) || focus(components.length - 1, column - 1)
          : focus(row + 1, column) || focus(0, column + 1),
    }
    if (event.key === 'Escape') {
      edits.forget([key])
    } else if (event.key.toLowerCase() === 'i' && !readOnly) {
      event.preventDefault()
      edits.allow([key], !edits.at(key).installmentsAllowed)
    } else if (moves[event.key]?.() || event.key === 'Enter') event.preventDefault()
  }
  const onPaste = (event: ClipboardEvent<HTMLInputElement>, row: number, column: number) => {
    const block = readBlock(event.clipboardData.getData('text/plain'))
    if (readOnly || (block.length === 1 && block[0]!.length === 1)) return
    event.preventDefault()
    edits.fill(
      block.flatMap((texts, rowOffset) =>
        texts.flatMap((text, columnOffset) => {
          const component = components[row + rowOffset]
          const column_ = columns[column + columnOffset]
          return component && column_ ? [{ key: keyOf(component.id, column_.id), text: text.trim() }] : []
        }),
      ),
    )
  }

  return (
    <div className={classes.scroll}>
      <table ref={table} className={classes.grid}>
        <thead>
          <tr>
            <th scope="col">{t('grid.component')}</th>
            {columns.map(({ id, name, offered }) => (
              <th key={id} scope="col" className={classes.number}>
                {name}
                {!offered && (
                  <Text component="span" display="block" size="xs" c="dimmed" fw={400}>
                    {t('grid.notOffered')}
                  </Text>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {components.map((component, row) => {
            const keys = columns.map(({ id }) => keyOf(component.id, id))
            const filledKeys = keys.filter((key) => edits.amountAt(key) !== null)
            const allowed = filledKeys.length > 0 && filledKeys.every((key) => edits.at(key).installmentsAllowed)
            return (
              <tr key={component.id}>
                <th scope="row">
                  <div className={classes.component}>
                    <span>
                      {component.name}
                      <Text component="span" display="block" size="xs" c="dimmed" fw={400}>
                        {t(`recurrence.${component.recurrence}` as 'recurrence.once')}
                      </Text>
                    </span>
                    {!readOnly && filledKeys.length > 0 && columns.length > 1 && (
                      <InstallmentSwitch
                        allowed={allowed}
                        label={t(allowed ? 'grid.forbidRow' : 'grid.allowRow', { name: component.name })}
                        onChange={(next) => edits.allow(filledKeys, next)}
                      />
                    )}
                  </div>
                </th>
                {columns.map((column_, column) => {
                  const key = keyOf(component.id, column_.id)
                  const cell = edits.at(key)
                  const saved = edits.cells.get(key)
                  const conflict = conflicts[key]
                  const isWrong = edits.isWrong(key)
                  const note = `${conflict ? `${conflict} ` : ''}${isWrong ? t('grid.wrong') : ''}`
                  const noteId = `note-${key}`
                  return (
                    <td
                      key={column_.id}
                      data-changed={edits.isChanged(key) || undefined}
                      data-wrong={isWrong || !!conflict || undefined}
                    >
                      <div className={classes.cell}>
                        <input
                          data-row={row}
                          data-column={column}
                          inputMode="numeric"
                          autoComplete="off"
                          aria-label={t('grid.cell', { component: component.name, class: column_.name })}
                          aria-invalid={isWrong || undefined}
                          aria-describedby={note ? noteId : undefined}
                          readOnly={readOnly}
                          value={cell.text}
                          placeholder={general.has(key) ? wholeNumber(general.get(key)!) : '–'}
                          onFocus={(event) => event.currentTarget.select()}
                          onBlur={() => edits.settle(key)}
                          onChange={(event) => edits.type(key, event.currentTarget.value)}
                          onKeyDown={(event) => onKeyDown(event, row, column)}
                          onPaste={(event) => onPaste(event, row, column)}
                        />
                        {cell.text !== '' && !isWrong && (
                          <InstallmentSwitch
                            allowed={cell.installmentsAllowed}
                            quiet
                            readOnly={readOnly}
                            label={t(cell.installmentsAllowed ? 'grid.allowed' : 'grid.notAllowed')}
                            onChange={(next) => edits.allow([key], next)}
                          />
                        )}
                      </div>
                      {note && (
                        <Text id={noteId} size="xs" className={classes.note}>
                          {note}
                        </Text>
                      )}
                      {saved && !saved.active && cell.text === '' && (
                        <Text size="xs" c="dimmed" px={8} pb={4}>
                          {t('grid.inactive', { amount: rupiah(saved.amount) })}
                        </Text>
                      )}
                    </td>
                  )
                })}
              </tr>
            )
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('grid.total')}</th>
            {columns.map(({ id }) => (
              <td key={id} className={classes.total}>
                {rupiah(components.reduce((sum, component) => sum + inputPropsOf(component.id, id), 0))}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

type SwitchProps = {
  allowed: boolean
  label: string
  quiet?: boolean
  readOnly?: boolean
  onChange: (allowed: boolean) => void
}

/** Allows instalments for an amount. With `quiet` it is not reachable by Tab: the letter I in the cell does the same. */
function InstallmentSwitch({ allowed, label, quiet, readOnly, onChange }: SwitchProps) {
  const Icon = allowed ? IconCalendarDollar : IconCalendarOff
  return (
    <Tooltip label={label} events={{ hover: true, focus: true, touch: true }}>
      <ActionIcon
        variant="subtle"
        size={28}
        color={allowed ? 'primary' : 'gray'}
        tabIndex={quiet ? -1 : 0}
        aria-label={label}
        aria-pressed={allowed}
        onClick={() => !readOnly && onChange(!allowed)}
      >
        <Icon size={18} aria-hidden="true" />
      </ActionIcon>
    </Tooltip>
  )
}
