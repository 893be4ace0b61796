import { Kbd, Modal, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type RefObject, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './list.module.css'

type Keys<Row> = {
  rows: readonly Row[]
  /** Changes with what the list shows: the place in it begins anew. */
  of: string
  enabled: boolean
  onOpen?: (row: Row, index: number) => void
  onToggle?: (row: Row) => void
  onEscape?: () => void
  searchRef: RefObject<HTMLInputElement | null>
}

/** Up and down with J and K, open with Enter, select with X, search with /, help with ?. */
export function useListKeys<Row>({ rows, of, enabled, onOpen, onToggle, onEscape, searchRef }: Keys<Row>) {
  const [current, setCurrent] = useState(-1)
  const [help, setHelp] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has no current row yet
  useEffect(() => setCurrent(-1), [of])
  const move = (by: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, current + by))
    setCurrent(next)
    for (const row of document.querySelectorAll(`[data-row="${next}"]`)) row.scrollIntoView({ block: 'nearest' })
  }
  const at = (act?: (row: Row, index: number) => void) => () => {
    const row = rows[current]
    if (row !== undefined) act?.(row, current)
  }
  useHotkeys(
    enabled
      ? [
          ['j', () => move(1)],
          ['k', () => move(-1)],
          ['x', at(onToggle)],
          ['Enter', at(onOpen), { preventDefault: false }],
          ['Escape', () => onEscape?.(), { preventDefault: false }],
          ['/', () => searchRef.current?.focus()],
          ['shift+?', () => setHelp(true)],
        ]
      : [],
  )
  return { current, help, closeHelp: () => setHelp(false) }
}

/** What the keys do. */
export function KeysDialog({ opened, onClose, selects }: { opened: boolean; onClose: () => void; selects: boolean }) {
  const { t } = useTranslation('list')
  const close = useTranslation('common').t('actions.close')
  const rows: [string, string][] = [
    ['J', t('keys.down')],
    ['K', t('keys.up')],
    ['Enter', t('keys.open')],
    ...(selects ? ([['X', t('keys.select')]] as [string, string][]) : []),
    ['/', t('keys.search')],
    ['Ctrl K', t('keys.everywhere')],
    ['Esc', t('keys.close')],
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
