import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { rememberList } from '#web/shell/way-back.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { useSettledMedia } from '#web/ui/use-settled-media.ts'
import { useRowActions } from './actions/use-row-actions.ts'
import { useListKeys } from './keys/list-keys.tsx'
import { useColumns, useListState } from './list-state.ts'
import { withPage } from './rows/selection.ts'
import type { ListProps } from './types.ts'
import { useRows } from './use-rows.ts'

const none: never[] = []

/** State of a list: the query in its address, rows found, selected rows, current row and open row. */
export function useDataList<Row>(props: ListProps<Row>, { hasKeys }: { hasKeys: boolean }) {
  const { name, filters = none, defaultSort = '', rowId, rowActions = none, prefix = '', preview } = props
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const { owner } = useSurroundings()
  useEffect(() => rememberList(owner, pathname, search), [owner, pathname, search])
  const isWide = useSettledMedia('(min-width: 75em)')
  const list = useListState({ filters, defaultSort, prefix })
  const columns = useColumns(name, props.columns)
  const found = useRows<Row>({ ...props, list })
  const { rows } = found
  const searchRef = useRef<HTMLInputElement>(null)
  const pageKey = JSON.stringify([list.query, list.page])

  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map())
  const [openId, setOpenId] = useState<string | null>(null)
  const filter = JSON.stringify(list.query)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the selection must be part of the filtered rows
  useEffect(() => setSelected(new Map()), [filter])
  const unselect = () => setSelected(new Map())
  const actionState = useRowActions<Row>(rowActions, unselect)
  const selects = actionState.actions.some(({ many }) => many)
  const toggle = (row: Row) => setSelected((before) => withPage(before, [row], rowId, !before.has(rowId(row))))
  const selection = selects
    ? {
        ids: new Set(selected.keys()),
        toggle: (id: string) => {
          const row = rows.find((candidate) => rowId(candidate) === id)
          if (row) toggle(row)
        },
        setAll: (chosen: boolean) => setSelected((before) => withPage(before, rows, rowId, chosen)),
      }
    : undefined

  const previews = isWide && preview !== undefined
  const opens = (row: Row) => previews || props.onOpen !== undefined || props.href?.(row) !== undefined
  const open = (row: Row) => {
    const address = props.href?.(row)
    if (address) navigate(address)
    else props.onOpen?.(row)
  }
  const withKeys = actionState.actions.flatMap((action) =>
    action.hotkey ? [{ ...action, hotkey: action.hotkey }] : [],
  )
  const keys = useListKeys({
    rows,
    pageKey: pageKey,
    enabled: hasKeys,
    onOpen: open,
    onMove: (row) => previews && openId !== null && setOpenId(rowId(row)),
    ...(selects && { onToggle: toggle }),
    acts: withKeys.map((action) => ({
      hotkey: action.hotkey,
      run: (row: Row | undefined) =>
        actionState.start(action, selected.size > 0 ? [...selected.values()] : row === undefined ? [] : [row]),
    })),
    onEscape: () => setOpenId(null),
    searchRef,
  })
  const show = (row: Row, index: number) => {
    keys.goTo(index)
    if (previews) setOpenId(rowId(row))
    else open(row)
  }
  const openRow = previews ? rows.find((row) => rowId(row) === openId) : undefined

  return {
    list,
    filters,
    columns,
    found,
    searchRef,
    open,
    openRow,
    close: () => setOpenId(null),
    actionState,
    selected: { rows: [...selected.values()], clear: unselect },
    keys: { ...keys, selects, acts: withKeys },
    shown: { selection, current: keys.current, openId, opens, onRow: show },
  }
}

export type DataListState<Row> = ReturnType<typeof useDataList<Row>>
