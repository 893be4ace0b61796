import type { Entity } from '#entities/define/entity.ts'
import type { Field } from '#entities/define/field.ts'
import { languages } from '#entities/define/language.ts'
import { fieldOf, type Header } from '#server/modules/transfer/imports/import-columns.ts'
import { readCell, textOfCell } from '#server/modules/transfer/imports/read-cell.ts'
import { textOf, wallTime } from '#server/platform/sheets/columns.ts'
import type { Cell, SheetLine } from '#server/platform/sheets/sheet-reader.ts'
import { sentences } from '#server/platform/text.ts'
import { exampleCells } from './make-workbook.ts'

/** Whether an example was typed over but kept its mark, because of which the row is not read. */
export function isChangedExample(entity: Entity, { columns }: Header, { cells }: SheetLine, timeZone: string) {
  const mark = textOfCell(cells[0]).replace(/^#\s*/, '').toLowerCase()
  if (!languages.some((language) => sentences(language)('workbook:sheet.example').toLowerCase() === mark)) return false
  return !languages.some((language) =>
    exampleCells(entity, language, timeZone).some((example) =>
      columns.every(({ fieldKey, index }) => {
        const field = fieldOf(entity, fieldKey)
        const value = example[fieldKey]
        const typed =
          value instanceof Date ? wallTime(value, timeZone)! : typeof value === 'number' ? value : textOf(value)
        return meaningOf(field, cells[index] ?? '', timeZone) === meaningOf(field, typed, timeZone)
      }),
    ),
  )
}

function meaningOf(field: Field, cell: Cell, timeZone: string): string {
  const text = textOfCell(cell)
  if (text === '') return ''
  const read = readCell(field, cell, timeZone)
  return 'value' in read ? JSON.stringify(read.value) : text
}
