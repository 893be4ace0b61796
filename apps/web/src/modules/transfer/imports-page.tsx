import { Button } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useState } from 'react'
import { listImports } from '#domain/transfer/lists.ts'
import { permissionOf } from '#entities/define/entity.ts'
import { entities } from '#entities/index.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { toneOf, useTransferWords } from './words.ts'

/** The reader's own imports; with permission for the audit log, everyone's. */
export default function ImportsPage() {
  const { t, say } = useTransferWords()
  const { may } = useSession()
  const title = useScreenTitle()
  const [isOpen, setOpen] = useState(false)
  const creatable = entities.filter((entity) => may(permissionOf(entity, 'create')))
  return (
    <>
      <DataList
        list={listImports}
        title={title}
        rowTitle={({ fileName }) => fileName}
        href={({ id }) => `/settings/imports/${id}`}
        actions={
          creatable.length > 0 && (
            <Button leftSection={<IconFileImport size={18} aria-hidden="true" />} onClick={() => setOpen(true)}>
              {t('import.button')}
            </Button>
          )
        }
        controls={{
          entity: {
            kind: 'choice',
            choices: entities.map(({ slug, label }) => ({ value: slug, label: say(label.many) })),
          },
        }}
        cells={{
          status: ({ status }) => <StatusDot tone={toneOf[status]} label={t(`import.status.${status}`)} />,
        }}
        empty={{ title: t('import.empty'), text: t('import.emptyText') }}
      />
      {isOpen && <ImportDialog opened onClose={() => setOpen(false)} />}
    </>
  )
}
