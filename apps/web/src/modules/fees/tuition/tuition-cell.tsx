import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { rupiah, wholeNumber } from '#locales/format.ts'
import classes from '#web/modules/fees/tuition.module.css'
import { InstallmentSwitch } from './installment-switch.tsx'
import type { CellProps } from './use-grid-keys.ts'
import type { CellKey, TuitionEdits } from './use-tuition-edits.ts'

type Props = {
  cellKey: CellKey
  label: string
  edits: TuitionEdits
  /** Amount for all tracks, which applies while this cell is empty. */
  generalAmount: number | undefined
  /** Change another user saved. */
  conflict: string | undefined
  readOnly: boolean
  cellProps: CellProps
}

/** One amount of the grid with its instalment switch and its problem. */
export function TuitionCell({ cellKey, label, edits, generalAmount, conflict, readOnly, cellProps }: Props) {
  const { t } = useTranslation('fees')
  const cell = edits.at(cellKey)
  const saved = edits.cells.get(cellKey)
  const isWrong = edits.isWrong(cellKey)
  const note = `${conflict ? `${conflict} ` : ''}${isWrong ? t('grid.wrong') : ''}`
  const noteId = `note-${cellKey}`
  return (
    <td data-changed={edits.isChanged(cellKey) || undefined} data-wrong={isWrong || !!conflict || undefined}>
      <div className={classes.cell}>
        <input
          inputMode="numeric"
          autoComplete="off"
          aria-label={label}
          aria-invalid={isWrong || undefined}
          aria-describedby={note ? noteId : undefined}
          readOnly={readOnly}
          value={cell.text}
          placeholder={generalAmount === undefined ? '–' : wholeNumber(generalAmount)}
          onFocus={(event) => event.currentTarget.select()}
          onBlur={() => edits.settle(cellKey)}
          onChange={(event) => edits.type(cellKey, event.currentTarget.value)}
          {...cellProps}
        />
        {cell.text !== '' && !isWrong && (
          <InstallmentSwitch
            allowed={cell.installmentsAllowed}
            quiet
            readOnly={readOnly}
            label={t(cell.installmentsAllowed ? 'grid.allowed' : 'grid.notAllowed')}
            onChange={(next) => edits.allow([cellKey], next)}
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
}
