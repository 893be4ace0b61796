import { Kbd, Modal, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '#web/list/list.module.css'
import { isElsewhere, movedTo } from './key-rules.ts'

type Keys<Row> = {
  rows: readonly Row[]
  /** Changes with what the list shows: the place in it begins anew. */
  of: string
  enabled: boolean
  onMove: (row: Row) => void
  onOpen: (row: Row) => void
  onToggle?: (row: Row) => void
  onEscape: () => void
  /** Actions with a key of their own, for the current row where none is selected. */
  acts: readonly { hotkey: string; run: (row: Row | undefined) => void }[]
  searchRef: RefObject<HTMLInputElement | null>
}

/** Up and down with J and K, open with Enter, select with X, search with /, help with ?, and the keys of actions. */
export function useListKeys<Row>({ rows, of, enabled, searchRef, acts, ...on }: Keys<Row>) {
  const [current, setCurrent] = useState(-1)
  /** Keys that repeat come faster than the page is drawn. */
  const place = useRef(current)
  const goTo = (index: number) => {
    place.current = index
    setCurrent(index)
  }
  const [help, setHelp] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has no current row yet
  useEffect(() => goTo(-1), [of])
  const move = (by: number) => {
    const next = movedTo(place.current, by, rows.length)
    const row = rows[next]
    if (row === undefined) return
    goTo(next)
    on.onMove(row)
    for (const element of document.querySelectorAll(`[data-row="${next}"]`))
      element.scrollIntoView({ block: 'nearest' })
  }
  const atRow = (act?: (row: Row) => void) => {
    const row = rows[place.current]
    if (row !== undefined) act?.(row)
  }
  const bound: Record<string, () => void> = {
    j: () => move(1),
    k: () => move(-1),
    x: () => atRow(on.onToggle),
    Enter: () => atRow(on.onOpen),
    Escape: on.onEscape,
    '/': () => searchRef.current?.focus(),
    '?': () => setHelp(true),
    'shift+?': () => setHelp(true),
    ...Object.fromEntries(acts.map(({ hotkey, run }) => [hotkey, () => run(rows[place.current])])),
  }
  useHotkeys(
    Object.entries(enabled ? bound : {}).map(([key, act]) => [
      key,
      (event) => {
        if (isElsewhere(key, event.target, document)) return
        if (key !== 'Escape') event.preventDefault()
        act()
      },
      { preventDefault: false },
    ]),
  )
  return { current, goTo, help, closeHelp: () => setHelp(false) }
}

type DialogProps = {
  opened: boolean
  onClose: () => void
  selects: boolean
  acts: readonly { hotkey: string; label: string }[]
}

/** What the keys do. */
export function KeysDialog({ opened, onClose, selects, acts }: DialogProps) {
  const { t } = useTranslation('list')
  const close = useTranslation('common').t('actions.close')
  const rows: [string, string][] = [
    ['J', t('keys.down')],
    ['K', t('keys.up')],
    ['Enter', t('keys.open')],
    ...(selects ? ([['X', t('keys.select')]] as [string, string][]) : []),
    ...acts.map(({ hotkey, label }): [string, string] => [hotkey.toUpperCase(), label]),
    ['/', t('keys.search')],
    ['Ctrl K', t('keys.everywhere')],
    ['Esc', t('keys.close')],
    ['?', t('keys.help')],
  ]
  return (
    <Modal opened={opened} onClose={onClose} title={t('keys.title')} closeButtonProps={{ 'aria-label': close }}>
      <dl className={classes.keys}>
        {rows.map(([key, what]) => (
          <div key={key} style={{ display: 'contents' }}>
            <dt>
              <Kbd>{key}</Kbd>
            </dt>
            <dd>
              <Text size="sm">{what}</Text>
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
