import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Entity } from '#entities/define/entity.ts'
import type { Row } from '#entities/define/row.ts'
import { bulkEndpointsOf } from '#entities/endpoints.ts'
import { call } from '#web/api/client.ts'
import { titleOf, useEntityWords } from '#web/resource/words.ts'
import { ConfirmDialog } from '#web/ui/confirm-button.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'

type Props = { entity: Entity; row: Row; onDelete: () => unknown }

/** First asks the server whether the row is in use; then shows the reason instead of a button. */
export function DeleteButton({ entity, row, onDelete }: Props) {
  const { t, noun } = useEntityWords()
  const [isOpen, setOpen] = useState(false)
  const preview = useMutation({
    mutationFn: () => call(bulkEndpointsOf(entity).delete.preview, { body: { ids: [row.id] } }),
  })
  const reason = preview.data?.data.refused[0]?.reason
  return (
    <>
      <Button
        variant="default"
        color="red.9"
        c="var(--mantine-color-error)"
        aria-haspopup="dialog"
        onClick={() => {
          preview.mutate()
          setOpen(true)
        }}
        children={t('delete')}
      />
      {isOpen && (
        <ConfirmDialog
          danger
          title={t('deleteTitle', { name: titleOf(entity, row) || noun(entity) })}
          message={preview.isPending ? <LoadingRows rows={2} /> : (reason ?? t('deleteText'))}
          confirmLabel={preview.isPending || reason ? null : t('delete')}
          onConfirm={onDelete}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
