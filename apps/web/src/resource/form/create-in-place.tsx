import { Modal } from '@mantine/core'
import { type ComponentType, createContext, type ReactNode, useContext, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import type { FieldValue, Row } from '#entities/define/row.ts'
import { getEntity } from '#entities/index.ts'
import { useEntityWords } from '#web/resource/words.ts'
import { useSession } from '#web/shell/session/session.tsx'

type Wish = {
  entity: Entity
  parentId?: string | undefined
  start: Record<string, FieldValue>
  done: (row: Row) => void
}
type FormProps = {
  entity: Entity
  parentId?: string
  start: Record<string, FieldValue>
  onSaved: (row: Row) => void
  onLeave: () => void
}

const Context = createContext<((request: Wish) => void) | null>(null)

/** Lets every reference field below it add a row in a dialog that shows `Form`. */
export function CreateInPlace({ Form, children }: { Form: ComponentType<FormProps>; children: ReactNode }) {
  const { t, noun } = useEntityWords()
  const close = useTranslation('common').t('actions.close')
  const [request, setRequest] = useState<Wish | null>(null)
  const leave = () => setRequest(null)
  return (
    <Context.Provider value={setRequest}>
      {children}
      <Modal
        opened={request !== null}
        onClose={leave}
        size="lg"
        title={request && t('add', { noun: noun(request.entity) })}
        closeButtonProps={{ 'aria-label': close }}
      >
        {request && (
          <CreateInPlace Form={Form}>
            <Form
              entity={request.entity}
              {...(request.parentId && { parentId: request.parentId })}
              start={request.start}
              onLeave={leave}
              onSaved={(row) => {
                request.done(row)
                leave()
              }}
            />
          </CreateInPlace>
        )}
      </Modal>
    </Context.Provider>
  )
}

/** Returns a function that opens the dialog for a new row; undefined without such a dialog or without permission. */
export function useCreateInPlace(to: string, parent: string | null | undefined) {
  const openDialog = useContext(Context)
  const { may } = useSession()
  const entity = getEntity(to)
  if (!openDialog || !may(permissionOf(entity, 'create')) || (entity.parent && !parent)) return undefined
  return (typedText: string, done: (row: Row) => void) =>
    openDialog({
      entity,
      parentId: entity.parent ? (parent ?? undefined) : undefined,
      start: typedText && entity.fields.name ? { name: typedText } : {},
      done,
    })
}
