import { Button } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useState } from 'react'
import { type ImportRecord, listImports } from '#domain/transfer/endpoints.ts'
import { importStatuses } from '#domain/transfer/import-status.ts'
import { permissionOf } from '#entities/define/entity.ts'
import { entities } from '#entities/index.ts'
import { shortDate, timeOfDay, wholeNumber } from '#locales/format.ts'
import { useSession } from '#web/app/session.tsx'
import { useScreenTitle } from '#web/app/title.tsx'
import { ListPage } from '#web/list/data-list.tsx'
import { StatusDot } from '#web/ui/status-dot.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { toneOf, useTransferWords } from './words.ts'

/** Every import of the reader's own; who may read the audit log sees those of all. */
export default function ImportsPage() {
  const { t, say, entityName, language } = useTransferWords()
  const { may } = useSession()
  const title = useScreenTitle()
  const [open, setOpen] = useState(false)
  const creatable = entities.filter((entity) => may(permissionOf(entity, 'create')))
  return (
    <>
      <ListPage<ImportRecord>
        name="imports"
        title={title}
        endpoint={listImports}
        defaultSort="-createdAt"
        rowId={({ id }) => id}
        rowTitle={({ fileName }) => fileName}
        href={({ id }) => `/settings/imports/${id}`}
        actions={
          creatable.length > 0 && (
            <Button leftSection={<IconFileImport size={18} aria-hidden="true" />} onClick={() => setOpen(true)}>
              {t('import.button')}
            </Button>
          )
        }
        filters={[
          {
            key: 'status',
            label: t('import.statusLabel'),
            kind: 'choice',
            choices: importStatuses.map((value) => ({ value, label: t(`import.status.${value}`) })),
          },
          {
            key: 'entity',
            label: t('import.entity'),
            kind: 'choice',
            choices: entities.map(({ slug, label }) => ({ value: slug, label: say(label.many) })),
          },
        ]}
        columns={[
          { key: 'fileName', label: t('import.fileColumn'), cell: ({ fileName }) => fileName },
          { key: 'entity', label: t('import.entity'), sort: true, cell: ({ entity }) => entityName(entity) },
          {
            key: 'status',
            label: t('import.statusLabel'),
            cell: ({ status }) => <StatusDot tone={toneOf[status]} label={t(`import.status.${status}`)} />,
          },
          {
            key: 'rows',
            label: t('import.rows'),
            numeric: true,
            cell: ({ rows }) => wholeNumber(rows.total ?? rows.done),
          },
          {
            key: 'wrong',
            label: t('import.count.wrong'),
            numeric: true,
            cell: ({ rows }) => wholeNumber(rows.wrong),
          },
          { key: 'accountName', label: t('import.who'), sort: true, cell: ({ accountName }) => accountName },
          {
            key: 'createdAt',
            label: t('import.when'),
            sort: true,
            cell: ({ createdAt }) => (
              <span style={{ whiteSpace: 'nowrap' }}>
                {shortDate(createdAt, language)}, {timeOfDay(createdAt)}
              </span>
            ),
          },
        ]}
        empty={{ title: t('import.empty'), text: t('import.emptyText') }}
      />
      {open && <ImportDialog opened onClose={() => setOpen(false)} />}
    </>
  )
}
