import { Button } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useState } from 'react'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { useTransferWords } from './words.ts'

/** Button beside the title of a list whose rows can be imported from a sheet. */
export function ImportButton({ entity, parentId }: { entity: Entity; parentId?: string }) {
  const { t } = useTransferWords()
  const { may } = useSession()
  const [isOpen, setOpen] = useState(false)
  if (!may(permissionOf(entity, 'create'))) return null
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFileImport size={18} aria-hidden="true" />}
        onClick={() => setOpen(true)}
        aria-haspopup="dialog"
      >
        {t('import.button')}
      </Button>
      {isOpen && <ImportDialog entity={entity} parentId={parentId} opened onClose={() => setOpen(false)} />}
    </>
  )
}
