import { Anchor, Table, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Entity } from '#entities/define/entity.ts'
import { type FieldValue, type Row, sortKeys } from '#entities/define/row.ts'
import { dateTime } from '#locales/format.ts'
import { StatusDot } from '../ui/status-dot.tsx'
import { FieldCell } from './field-cell.tsx'
import type { ListState } from './list-state.ts'
import classes from './resource-list.module.css'
import { isNumeric, useEntityWords } from './words.ts'

type Props = {
  entity: Entity
  rows: Row[]
  columns: string[]
  list: ListState
  addressOf: (row: Row) => string | undefined
  onOpen?: (row: Row) => void
}

/** A table, or cards where there is no room for one. */
export function ResourceRows({ entity, rows, columns, list, addressOf, onOpen }: Props) {
  const { t, labelOf, language } = useEntityWords()
  const navigate = useNavigate()
  const sortable = new Set(sortKeys(entity))
  const cell = (row: Row, name: string): ReactNode => {
    const field = entity.fields[name]
    if (!field) return dateTime(String(row[name]), language)
    return <FieldCell field={field} value={row[name] as FieldValue} title={row.titles[name]} />
  }
  const status = (row: Row) => (
    <StatusDot tone={row.active ? 'done' : 'waiting'} label={t(row.active ? 'active' : 'inactive')} />
  )
  const opening = (row: Row, content: ReactNode) => {
    const address = addressOf(row)
    if (address) return <Anchor component={Link} to={address} fw={500} inherit children={content} />
    if (!onOpen) return content
    return <Anchor component="button" type="button" fw={500} inherit onClick={() => onOpen(row)} children={content} />
  }
  const open = (row: Row) => {
    const address = addressOf(row)
    if (address) navigate(address)
    else onOpen?.(row)
  }
  const header = (name: string) => {
    const label = labelOf(entity, name)
    const order = list.sort === name ? 'ascending' : list.sort === `-${name}` ? 'descending' : undefined
    const right = isNumeric(entity.fields[name]) ? classes.number : undefined
    if (!sortable.has(name)) return <Table.Th key={name} className={right} children={label} />
    return (
      <Table.Th key={name} aria-sort={order} className={right}>
        <UnstyledButton
          className={classes.sort}
          fz="inherit"
          aria-label={t('sortBy', { name: label })}
          onClick={() => list.set({ sort: order === 'ascending' ? `-${name}` : name })}
        >
          {label}
          {order === 'ascending' && <IconArrowUp size={14} aria-hidden="true" />}
          {order === 'descending' && <IconArrowDown size={14} aria-hidden="true" />}
        </UnstyledButton>
      </Table.Th>
    )
  }
  const [first, ...others] = columns.length > 0 ? columns : [Object.keys(entity.fields)[0]!]
  const named = entity.fields.name && others.includes('name') ? 'name' : first!
  const facts = [first!, ...others].filter((name) => name !== named).slice(0, 4)

  return (
    <>
      <div className={`${classes.scroll} mantine-visible-from-sm`}>
        <Table className={classes.table} highlightOnHover>
          <Table.Thead>
            <Table.Tr>{[first!, ...others, 'active'].map(header)}</Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr
                key={row.id}
                data-opens={addressOf(row) || onOpen ? true : undefined}
                onClick={(event) =>
                  (event.target as Element).closest('a,button') || getSelection()?.toString() || open(row)
                }
              >
                {[first!, ...others].map((name) => (
                  <Table.Td key={name} className={isNumeric(entity.fields[name]) ? classes.number : classes.cell}>
                    {name === named ? opening(row, cell(row, name)) : cell(row, name)}
                  </Table.Td>
                ))}
                <Table.Td>{status(row)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <ul className={`${classes.cards} mantine-hidden-from-sm`}>
        {rows.map((row) => (
          <li key={row.id} className={classes.card}>
            <div className={classes.cardTitle}>
              <span>{opening(row, cell(row, named))}</span>
              {status(row)}
            </div>
            <dl className={classes.facts}>
              {facts.map((name) => (
                <div key={name} style={{ display: 'contents' }}>
                  <dt>{labelOf(entity, name)}</dt>
                  <dd>{cell(row, name)}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </>
  )
}
