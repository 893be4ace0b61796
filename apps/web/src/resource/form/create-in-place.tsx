import { Modal } from '@mantine/core'
import { type ComponentType, createContext, type ReactNode, useContext, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import type { FieldValue, Row } from '#entities/define/row.ts'
import { getEntity } from '#entities/index.ts'
import { useEntityWords } from '#web/resource/words.ts'
import { useSession } from '#web/shell/session.tsx'

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

const Context = createContext<((wish: Wish) => void) | null>(null)

/** Lets every reference below it be added in a dialog, with the form it is given. */
export function CreateInPlace({ Form, children }: { Form: ComponentType<FormProps>; children: ReactNode }) {
  const { t, noun } = useEntityWords()
  const close = useTranslation('common').t('actions.close')
  const [wish, setWish] = useState<Wish | null>(null)
  const leave = () => setWish(null)
  return (
    <Context.Provider value={setWish}>
      {children}
      <Modal
        opened={wish !== null}
        onClose={leave}
        size="lg"
        title={wish && t('add', { noun: noun(wish.entity) })}
        closeButtonProps={{ 'aria-label': close }}
      >
        {wish && (
          <CreateInPlace Form={Form}>
            <Form
              entity={wish.entity}
              {...(wish.parentId && { parentId: wish.parentId })}
              start={wish.start}
              onLeave={leave}
              onSaved={(row) => {
                wish.done(row)
                leave()
              }}
            />
          </CreateInPlace>
        )}
      </Modal>
    </Context.Provider>
  )
}

/** Opens the dialog for a new row, where there is one and the person may add such rows. */
export function useCreateInPlace(to: string, parent: string | null | undefined) {
  const open = useContext(Context)
  const { may } = useSession()
  const entity = getEntity(to)
  if (!open || !may(permissionOf(entity, 'create')) || (entity.parent && !parent)) return undefined
  return (typed: string, done: (row: Row) => void) =>
    open({
      entity,
      parentId: entity.parent ? (parent ?? undefined) : undefined,
      start: typed && entity.fields.name ? { name: typed } : {},
      done,
    })
}
