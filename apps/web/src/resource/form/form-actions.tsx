import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import type { Row } from '#entities/define/row.ts'
import { useEntityWords } from '#web/resource/words.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { DeleteButton } from './delete-button.tsx'

type Props = {
  entity: Entity
  saved?: Row | undefined
  busy: boolean
  saveButton: ReactNode
  /** The form has unsaved changes. */
  dirty: boolean
  /** Undefined if the form adds a single row. */
  onAnother: (() => void) | undefined
  onLeave: () => void
  setActive: (active: boolean) => unknown
  remove: () => unknown
}

/** Buttons for the form and its row. */
export function FormActions({ entity, saved, busy, saveButton, dirty, onAnother, onLeave, setActive, remove }: Props) {
  const { t } = useEntityWords()
  const { may } = useSession()
  return (
    <Group mt="lg" gap="sm">
      {saveButton}
      {!saved && onAnother && (
        <Button variant="default" disabled={busy} title="Ctrl + Enter" onClick={onAnother}>
          {t('saveAnother')}
        </Button>
      )}
      {dirty ? (
        <ConfirmButton
          variant="subtle"
          title={t('unsavedTitle')}
          message={t('unsavedText')}
          confirmLabel={t('leave')}
          keepLabel={t('stay')}
          onConfirm={onLeave}
          children={t('cancel')}
        />
      ) : (
        <Button variant="subtle" onClick={onLeave} children={t('cancel')} />
      )}
      {saved && (
        <Group gap="sm" ml="auto">
          {saved.active ? (
            <ConfirmButton
              variant="default"
              message={t('deactivateText')}
              title={t('deactivate')}
              onConfirm={() => setActive(false)}
              children={t('deactivate')}
            />
          ) : (
            <Button variant="default" disabled={busy} onClick={() => setActive(true)}>
              {t('activate')}
            </Button>
          )}
          {may(permissionOf(entity, 'delete')) && <DeleteButton entity={entity} row={saved} onDelete={remove} />}
        </Group>
      )}
    </Group>
  )
}
