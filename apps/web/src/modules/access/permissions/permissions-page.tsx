import { Button, Code } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listPermissions } from '#domain/access/lists.ts'
import { permissionGroups } from '#domain/access/permissions.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

export default function PermissionsPage() {
  const { t } = useTranslation('access')
  const { may } = useSession()
  const { language } = useSurroundings()
  const groups = Object.entries(permissionGroups).map(([value, label]) => ({ value, label: label[language] }))
  return (
    <DataList
      list={listPermissions}
      title={useScreenTitle()}
      searchLabel={t('permissions.search')}
      rowId={({ slug }) => slug}
      rowTitle={({ slug }) => slug}
      href={({ slug }) => (may('settings-permissions-update') ? `/settings/permissions/${slug}` : undefined)}
      cells={{ slug: ({ slug }) => <Code>{slug}</Code> }}
      controls={{ group: { kind: 'choice', choices: groups } }}
      actions={
        may('settings-permissions-create') && (
          <Button component={Link} to="/settings/permissions/create" leftSection={<IconPlus size={18} aria-hidden />}>
            {t('permissions.add')}
          </Button>
        )
      }
    />
  )
}
