import { Kbd, Modal, Table, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { isNoShortcut } from '#web/ui/shortcuts.ts'

const keys = [
  ['A', 'approve'],
  ['R', 'reject'],
  ['J', 'next'],
  ['K', 'previous'],
  ['+ −', 'zoom'],
  ['T', 'rotate'],
  ['?', 'help'],
] as const

/** Binds the review's keys, by character. */
export function useReviewKeys(actions: Record<string, (event: KeyboardEvent) => void>) {
  const onKey = useRef<(event: KeyboardEvent) => void>(() => {})
  onKey.current = (event) => {
    const action = actions[event.key.toLowerCase()]
    if (!action || isNoShortcut(event)) return
    event.preventDefault()
    action(event)
  }
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey.current(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

export function ReviewKeysDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('documents')
  return (
    <Modal opened={opened} onClose={onClose} title={t('keysTitle')} closeButtonProps={{ 'aria-label': t('close') }}>
      <Table>
        <Table.Tbody>
          {keys.map(([key, word]) => (
            <Table.Tr key={key}>
              <Table.Td w={80}>
                <Kbd>{key}</Kbd>
              </Table.Td>
              <Table.Td>
                <Text>{t(`keys.${word}`)}</Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}
