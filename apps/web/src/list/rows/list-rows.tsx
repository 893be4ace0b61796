import { Anchor, Checkbox, Table, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode, RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { RowMenu } from '#web/list/actions/row-menu.tsx'
import type { StartedActions } from '#web/list/actions/use-row-actions.ts'
import classes from '#web/list/list.module.css'
import { type ListState, ordersOf } from '#web/list/list-state.ts'
import type { Column, ListProps } from '#web/list/types.ts'
import { ScrollBox } from '#web/ui/scroll-box.tsx'

export type Selection = {
  ids: ReadonlySet<string>
  toggle: (id: string) => void
  setAll: (chosen: boolean) => void
}

type Props<Row> = Pick<ListProps<Row>, 'rowId' | 'rowTitle' | 'href' | 'dimmed' | 'card'> & {
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  list: ListState
  selection?: Selection
  actionState: StartedActions<Row>
  current: number
  openId: string | null
  /** Whether pressing the row opens a preview or page. */
  opens: (row: Row) => boolean
  onRow: (row: Row, index: number) => void
  /** Box in which a table's rows scroll, and its height in pixels. */
  boxRef?: RefObject<HTMLDivElement | null>
  boxHeight?: number
}

/** The row's name as a link or button that opens it. */
function opening<Row>({ href, opens, onRow }: Props<Row>, row: Row, index: number, content: ReactNode) {
  const address = href?.(row)
  if (address) return <Anchor component={Link} to={address} fw={500} inherit underline="hover" children={content} />
  if (!opens(row)) return content
  return (
    <Anchor
      component="button"
      type="button"
      fw={500}
      inherit
      underline="hover"
      onClick={() => onRow(row, index)}
      children={content}
    />
  )
}

const touchesControl = (target: EventTarget) => (target as Element).closest('a,button,input,label') !== null

type HeaderProps<Row> = { column: Column<Row>; list: ListState; names: boolean }

function HeaderCell<Row>({ column, list, names }: HeaderProps<Row>) {
  const { t } = useTranslation('list')
  const [ascending, descending = ascending] = ordersOf(column)
  const order = list.sort === ascending ? 'ascending' : list.sort === descending ? 'descending' : undefined
  const className = column.numeric ? classes.number : undefined
  if (!ascending || !descending)
    return (
      <Table.Th
        className={className}
        data-names={names || undefined}
        data-sticky={names ? 'left' : undefined}
        children={column.label}
      />
    )
  return (
    <Table.Th
      aria-sort={order}
      className={className}
      data-names={names || undefined}
      data-sticky={names ? 'left' : undefined}
    >
      <UnstyledButton
        className={classes.sort}
        fz="inherit"
        aria-label={t('sortBy', { name: column.label })}
        onClick={() => list.set({ sort: order === 'ascending' ? descending : ascending })}
      >
        {column.label}
        {order === 'ascending' && <IconArrowUp size={14} aria-hidden="true" />}
        {order === 'descending' && <IconArrowDown size={14} aria-hidden="true" />}
      </UnstyledButton>
    </Table.Th>
  )
}

/** Up to this number of columns, words wrap before the table scrolls sideways. */
const wrappingColumns = 9

/** A table with a sticky head. */
export function ListTable<Row>(props: Props<Row>) {
  const { rows, columns, list, rowId, rowTitle, dimmed, selection, actionState, current, openId, opens, onRow } = props
  const { t } = useTranslation('list')
  const selectedCount = rows.filter((row) => selection?.ids.has(rowId(row))).length
  return (
    <ScrollBox className={classes.scroll} boxRef={props.boxRef} style={{ maxHeight: props.boxHeight }}>
      <Table className={classes.table} highlightOnHover data-wraps={columns.length <= wrappingColumns || undefined}>
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th className={classes.check}>
                <Checkbox
                  size="xs"
                  checked={selectedCount > 0 && selectedCount === rows.length}
                  indeterminate={selectedCount > 0 && selectedCount < rows.length}
                  onChange={(event) => selection.setAll(event.currentTarget.checked)}
                  aria-label={t('selectAll')}
                />
              </Table.Th>
            )}
            {columns.map((column, columnIndex) => (
              <HeaderCell key={column.key} column={column} list={list} names={columnIndex === 0} />
            ))}
            {actionState.actions.length > 0 && (
              <Table.Th className={classes.menu} data-sticky="right">
                <VisuallyHidden>{t('rowActions')}</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, index) => {
            const id = rowId(row)
            return (
              <Table.Tr
                key={id}
                data-row={index}
                data-opens={opens(row) || undefined}
                data-current={index === current || id === openId || undefined}
                data-selected={selection?.ids.has(id) || undefined}
                data-dimmed={dimmed?.(row) || undefined}
                onClick={(event) => {
                  if (opens(row) && !touchesControl(event.target) && !getSelection()?.toString()) onRow(row, index)
                }}
              >
                {selection && (
                  <Table.Td className={classes.check}>
                    <Checkbox
                      size="xs"
                      checked={selection.ids.has(id)}
                      onChange={() => selection.toggle(id)}
                      aria-label={t('select', { name: rowTitle(row) })}
                    />
                  </Table.Td>
                )}
                {columns.map((column, columnIndex) => (
                  <Table.Td
                    key={column.key}
                    data-names={columnIndex === 0 || undefined}
                    data-sticky={columnIndex === 0 ? 'left' : undefined}
                    className={column.numeric ? classes.number : undefined}
                  >
                    <div className={classes.words}>
                      {columnIndex === 0 ? opening(props, row, index, column.cell(row)) : column.cell(row)}
                    </div>
                  </Table.Td>
                ))}
                {actionState.actions.length > 0 && (
                  <Table.Td className={classes.menu}>
                    <RowMenu actionState={actionState} row={row} name={rowTitle(row)} />
                  </Table.Td>
                )}
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  )
}

/** Columns of one row as label and value, one per line. */
export const RowFacts = <Row,>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) => (
  <dl className={classes.facts}>
    {columns.map((column) => (
      <div key={column.key} style={{ display: 'contents' }}>
        <dt>{column.label}</dt>
        <dd>{column.cell(row)}</dd>
      </div>
    ))}
  </dl>
)

/** One card per row, for narrow screens. */
export function ListCards<Row>(props: Props<Row>) {
  const { rows, columns, rowId, rowTitle, selection, actionState, card, current } = props
  const { t } = useTranslation('list')
  const [first, ...others] = columns
  return (
    <ul className={classes.cards}>
      {rows.map((row, index) => (
        <li key={rowId(row)} className={classes.card} data-row={index} data-current={index === current || undefined}>
          {selection && (
            <Checkbox
              size="md"
              className={classes.cardCheck}
              checked={selection.ids.has(rowId(row))}
              onChange={() => selection.toggle(rowId(row))}
              aria-label={t('select', { name: rowTitle(row) })}
            />
          )}
          <div className={classes.cardBody}>
            <div className={classes.cardTitle}>{first && opening(props, row, index, first.cell(row))}</div>
            {card ? card(row) : <RowFacts columns={others.slice(0, 4)} row={row} />}
          </div>
          <RowMenu actionState={actionState} row={row} name={rowTitle(row)} />
        </li>
      ))}
    </ul>
  )
}
