import { useTranslation } from 'react-i18next'
import { type SessionDetail, saveRooms } from '#domain/testing/sessions/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { RoomFields, type TypedRoom } from './room-fields.tsx'

/** Changes a session's rooms; the server refuses to remove occupied seats. */
export function RoomsDialog({ session, onClose }: { session: SessionDetail; onClose: () => void }) {
  const { t } = useTranslation('test-sessions')
  const form = useForm({
    call: saveRooms,
    params: { id: session.id },
    start: () => ({ rooms: session.rooms.map(({ taken: _, ...room }): TypedRoom => room) }),
    body: ({ rooms }) => ({ version: session.version, rooms }),
    done: t('rooms.saved'),
    onDone: onClose,
  })
  return (
    <DialogForm title={t('rooms.dialog')} size="xl" form={form} submit={t('rooms.save')} onClose={onClose}>
      <RoomFields rooms={form.values.rooms} onChange={(rooms) => form.set({ rooms })} field={form.field} />
    </DialogForm>
  )
}
